// spec: §14.2.2 Match-action unit invocation
#include <core.p4>
control C(inout bit<8> x) {
    table t { key = { x: exact; } actions = { NoAction; } }
    apply { if (t.apply().found) { x = 1; } } //~ ERROR found
}
