// spec: §7.5 typedef
struct S<T> { T f; }
typedef S<bit<8>, bit<8>> X; //~ ERROR
