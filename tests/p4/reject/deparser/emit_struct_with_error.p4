// spec: §16.1 Data insertion into packets
#include <core.p4>
header H { bit<8> f; }
struct S { H h; error e; }
control D(packet_out b, in S s) {
    apply { b.emit(s); } //~ ERROR
}
