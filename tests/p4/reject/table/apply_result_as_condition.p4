// spec: §12.6 Conditional statement
#include <core.p4>
control C(inout bit<8> x) {
    table t { key = { x: exact; } actions = { NoAction; } }
    apply { if (t.apply()) { x = 1; } } //~ ERROR
}
