// spec: §7.2.12 Parser and control blocks types
#include <core.p4>
parser Prs(packet_in b);
parser P(packet_in b, Prs p) { state start { transition accept; } } //~ ERROR
