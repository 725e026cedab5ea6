// spec: §12.7.1 Switch statement with action_run expression
#include <core.p4>
action global() { }
control C(inout bit<8> x) {
    action a() { }
    action b(bit<8> n) { x = n; }
    table t {
        key = { x: exact; }
        actions = { a; b; global; @defaultonly NoAction; }
    }
    apply {
        switch (t.apply().action_run) {
            a:
            b: { x = 1; }
            NoAction: { }
            default: { x = 2; }
        }
        switch (t.apply().action_run) { }
        switch (t.apply().action_run) { global: }
        switch (t.apply().action_run) { default: { exit; } }
    }
}
