// spec: §7.2.8 Type nesting rules
#include <core.p4>
header H { bit<8> f; match_kind k; } //~ ERROR
