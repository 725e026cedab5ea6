// spec: §13.2 Parser declarations
#include <core.p4>
parser P(packet_in b) { state start { } }
