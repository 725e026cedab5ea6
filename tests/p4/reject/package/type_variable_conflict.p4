// spec: §17.2 Example architecture program
#include <core.p4>
parser Front<T>(packet_in b, out T result);
control Back<T>(in T data);
package Box<T>(Front<T> front, Back<T> back);
parser Wide(packet_in b, out bit<32> total) { state start { total = 0; transition accept; } }
control Narrow(in bit<8> data) { apply { } }
Box(Wide(), Narrow()) main; //~ ERROR
