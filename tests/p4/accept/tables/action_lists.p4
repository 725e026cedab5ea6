// spec: §14.2.1.2 Actions
#include <core.p4>
action global(inout bit<8> p) { p = 1; }
control C(inout bit<8> x, in bit<8> y) {
    bit<8> z = 1;
    action a(in bit<8> p) { x = p; }
    action b(inout bit<8> p, out bit<8> q, bit<8> data) { q = p; p = data; }
    action c() { }
    table t {
        key = { y: exact; }
        actions = {
            a(y + 1);
            b(z, x);
            c();
            .global(z);
            @defaultonly NoAction;
        }
        default_action = NoAction();
    }
    table u {
        key = { y: exact; }
        actions = { a(5); b(p = z, q = x); @tableonly c; }
        default_action = a(5);
    }
    apply { t.apply(); u.apply(); }
}
