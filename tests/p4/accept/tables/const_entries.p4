// spec: §14.2.1.4 Entries
#include <core.p4>
const bit<16> K = 0x1181;
control C(in bit<8> e, in bit<16> t, inout bit<9> port) {
    action a() { port = 0; }
    action b(bit<9> x) { port = x; }
    table both {
        key = { e: exact; t: ternary; }
        actions = { a; b; }
        default_action = a;
        const entries = {
            (0x01, 0x1111 &&& 0xF): b(1);
            (0x02, K): b(2);
            (0x03, _): b(x = 3);
            const (0x04, default): a @name("four");
            (8w5, 16w7 &&& 16w8): b(9w5);
            _: a();
        }
    }
    table one {
        key = { e: exact; }
        actions = { a; b; }
        const default_action = a();
        const entries = { 1: a; (2): b(1 + 1); 3 + 1: a(); }
    }
    table none {
        key = { t: lpm; }
        actions = { NoAction; }
        const entries = { }
    }
    apply { both.apply(); one.apply(); none.apply(); }
}
