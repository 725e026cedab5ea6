// spec: §7.2.10.2 Extern objects
#include <core.p4>
parser Prs(packet_in b) { state start { transition accept; } }
parser Prs(packet_in b, out bit<8> x) { state start { x = 0; transition accept; } } //~ ERROR prs
