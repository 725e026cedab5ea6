// spec: §14.2 Tables
#include <core.p4>
control C() {
    table t { } //~ ERROR
    apply { t.apply(); }
}
