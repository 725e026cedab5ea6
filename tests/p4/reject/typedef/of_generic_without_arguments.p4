// spec: §7.5 typedef
struct S<T> { T f; }
typedef S X; //~ ERROR
