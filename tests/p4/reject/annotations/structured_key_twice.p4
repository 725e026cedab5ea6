// spec: §20.2 Bodies of Structured Annotations
@Owner[team="a", team="b"] //~ ERROR team
struct S { bit<8> f; }
