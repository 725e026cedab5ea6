// spec: §17.2 Example architecture program
#include <core.p4>
parser Prs<T>(packet_in b, out T result);
control Pipe<T>(in T data);
package Switch<T>(Prs<T> p, Pipe<T> map);
parser P(packet_in b, out bit<32> index) { state start { index = 0; transition accept; } }
control Pipe2(in bit<8> data) { apply { } }
Switch(P(), Pipe2()) main; //~ ERROR
