// spec: §18.2 Compile-time Evaluation
#include <core.p4>
extern Sum { Sum(); void clear(); bit<16> get(); }
Sum() shared;
parser Prs(packet_in b)(Sum s) { state start { s.clear(); transition accept; } }
control Dep(packet_out b)(Sum s) { apply { bit<16> x = s.get() + shared.get(); } }
parser P(packet_in b);
control D(packet_out b);
package Top(P p, D d);
Top(Prs(shared), Dep(shared)) main;
