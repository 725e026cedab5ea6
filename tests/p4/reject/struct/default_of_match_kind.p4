// spec: §7.3 Default values
#include <core.p4>
const match_kind m = ...; //~ ERROR
