// spec: §7.6 Introducing new types
struct S { bit<8> f; }
type S NewS; //~ ERROR
