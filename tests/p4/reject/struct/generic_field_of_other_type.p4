// spec: §7.2.11 Type specialization
struct S<T> { T f; }
const S<bit<8>> s = { f = true }; //~ ERROR
