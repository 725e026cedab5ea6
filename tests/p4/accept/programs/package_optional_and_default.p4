// spec: §6.8.2 Optional parameters
#include <core.p4>
struct None { }
control pass(inout None h) { apply { } }
parser Front<H>(packet_in p, out H h);
control Back<H>(inout H h);
package Box<A, B>(@optional Front<A> front, Back<B> back = pass());
Box() main;
