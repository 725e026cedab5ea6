// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
control Pipe();
parser P(packet_in b)(Pipe c) { state start { transition accept; } } //~ ERROR
