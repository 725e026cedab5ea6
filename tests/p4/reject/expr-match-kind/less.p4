// spec: §8.4 Operations on match_kind types
#include <core.p4>
const bool b = exact < lpm; //~ ERROR
