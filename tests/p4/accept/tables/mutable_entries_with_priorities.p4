// spec: §14.2.1.4.1 Entry priorities
#include <core.p4>
const int P = 60;
control C(in bit<8> e, in bit<16> t) {
    action a(bit<8> n) { }
    table prio {
        key = { e: exact; t: ternary; }
        actions = { a; NoAction; }
        default_action = NoAction;
        largest_priority_wins = false;
        priority_delta = 10;
        @noWarn("duplicate_priorities")
        entries = {
            const priority = 10: (1, 0x1111 &&& 0xF): a(1);
            (2, 0x1181): a(2);
            const (3, 0x1000 &&& 0xF000): a(3);
            priority = (20 + 20): (4, _): a(4);
            priority = (P): (5, _): NoAction;
        }
    }
    table plain {
        key = { t: ternary; }
        actions = { NoAction; }
        entries = { 1 &&& 1: NoAction(); const 2: NoAction(); _: NoAction(); }
    }
    apply { prio.apply(); plain.apply(); }
}
