// spec: §18.3.2 Annotations controlling naming
#include <core.p4>
control Pipe();
package Top(Pipe p);
control C() {
    @name("acl") table a { actions = { NoAction; } }
    @name("acl") table b { actions = { NoAction; } } //~ ERROR acl
    apply { a.apply(); b.apply(); }
}
Top(C()) main;
