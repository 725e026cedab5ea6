// spec: §16.1 Data insertion into packets
#include <core.p4>
control D(packet_out b, in bool x) {
    apply { b.emit(x); } //~ ERROR
}
