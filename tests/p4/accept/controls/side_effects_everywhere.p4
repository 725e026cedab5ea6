// spec: §8.1 Expression evaluation order
#include <core.p4>
header H { bit<8> f; }
extern bit<8> next_value(inout bit<8> state_word);
extern bool test(in bit<8> x);
control C(inout bit<8> x, inout H[4] s) {
    action a(in bit<8> p, bit<8> d) { x = p + d; }
    table t {
        key = { next_value(x): exact @name("k"); }
        actions = { a(next_value(x)); NoAction; }
        default_action = NoAction;
    }
    apply {
        s[next_value(x)].f = next_value(x) + next_value(x);
        if (test(next_value(x)) && t.apply().hit || test(x)) { a(next_value(x), x); }
        switch (next_value(x)) { 1: { x = 0; } }
        x = test(x) ? next_value(x) : x;
    }
}
