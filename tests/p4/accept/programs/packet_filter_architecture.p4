// spec: §17.3 A Packet Filter Model
#include <core.p4>
parser Parser<H>(packet_in packet, out H headers);
control Filter<H>(inout H headers, out bool accept);
package Program<H>(Parser<H> p, Filter<H> f);
header Eth { bit<48> dst; bit<48> src; bit<16> type; }
struct Hdrs { Eth eth; }
parser Prs(packet_in p, out Hdrs h) { state start { p.extract(h.eth); transition accept; } }
control Fil(inout Hdrs h, out bool accept) { apply { accept = h.eth.isValid(); } }
Program(Prs(), Fil()) main;
