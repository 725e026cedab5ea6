// spec: §12.5 Exit statement
#include <core.p4>
control C(inout bit<8> x) {
    table t { key = { x: exact; } actions = { NoAction; } }
    apply { if (t.apply().action_run == NoAction) { x = 1; } } //~ ERROR
}
