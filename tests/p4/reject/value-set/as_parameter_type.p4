// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
parser P(packet_in b, value_set<bit<8>> pvs) { state start { transition accept; } } //~ ERROR
