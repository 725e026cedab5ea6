// spec: §7.2.2 Header types
struct S { error e; }
header H<T> { T f; } control C() { H<S> h; apply { } } //~ ERROR
