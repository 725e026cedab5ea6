// spec: §11.3.2 Restrictions on top-level instantiations
#include <core.p4>
parser P(packet_in b) { state start { transition accept; } }
P() p; //~ ERROR
