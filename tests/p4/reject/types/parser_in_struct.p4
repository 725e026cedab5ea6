// spec: §7.2.8 Type nesting rules
#include <core.p4>
parser Prs(packet_in b);
struct S { Prs f; } //~ ERROR
