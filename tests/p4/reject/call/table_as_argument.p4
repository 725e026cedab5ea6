// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
extern void f<T>(in T x);
control C() {
    table t { actions = { NoAction; } }
    apply { f(t); } //~ ERROR
}
