// spec: §15 Parameterization
#include <core.p4>
parser P(bit<8> n)(packet_in b, out bit<8> x) { state start { transition accept; } } //~ ERROR
