// spec: §20.2 Bodies of Structured Annotations
#define TEXT "hello"
#define NUM 6
const int k = 3;
@Empty[] @Mixed[1, TEXT, true, 1 == 2, 5 + NUM, k] struct A { bit<8> f; }
@Labels[short="a", hover="b" ++ "c", flag=true, count=2 * 3] struct B { bit<8> f; }
@Labels[short="a"] @Other[short="a"] struct C { @Labels[1] bit<8> f; }
