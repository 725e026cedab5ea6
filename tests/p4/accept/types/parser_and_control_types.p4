// spec: §7.2.12 Parser and control blocks types
#include <core.p4>
parser P0(packet_in b);
parser P1<H>(packet_in b, out H h);
control C0();
control C1<A, B>(in A a, out B b);
control C2(@optional in bit<8> x);
