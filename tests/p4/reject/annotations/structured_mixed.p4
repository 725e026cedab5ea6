// spec: §20.2 Bodies of Structured Annotations
@Owner[team="a", 5] struct S { bit<8> f; } //~ ERROR
