// spec: §15 Parameterization
#include <core.p4>
parser P(packet_in b)(out bit<8> n) { state start { transition accept; } } //~ ERROR
