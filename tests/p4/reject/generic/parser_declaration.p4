// spec: §13.2 Parser declarations
#include <core.p4>
parser P<H>(packet_in b, out H h) { state start { transition accept; } } //~ ERROR
