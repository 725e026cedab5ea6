// spec: §17.2 Example architecture program
#include <core.p4>
control Pipe(packet_in b);
package Top(Pipe p);
parser A(packet_in b) { state start { transition accept; } }
Top(A()) main; //~ ERROR
