// spec: §20.2 Bodies of Structured Annotations
@Owner[5, team="a"] struct S { bit<8> f; } //~ ERROR
