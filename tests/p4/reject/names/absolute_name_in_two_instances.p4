// spec: §20.3.3 Control-plane API annotations
#include <core.p4>
control Pipe();
package Top(Pipe p, Pipe q);
control C() {
    @name(".edge.acl") table t { actions = { NoAction; } } //~ ERROR edge.acl
    apply { t.apply(); }
}
Top(C(), C()) main;
