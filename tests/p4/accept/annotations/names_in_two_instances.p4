// spec: §18.3 Control plane names
#include <core.p4>
control Inner() {
    @name("renamed") table t { actions = { NoAction; } }
    apply { t.apply(); }
}
control Outer() {
    Inner() a;
    @name("other") Inner() b;
    apply { a.apply(); b.apply(); }
}
control Pipe();
package Top(Pipe p, Pipe q);
Top(Outer(), Outer()) main;
