// spec: §20.2 Bodies of Structured Annotations
@Owner[{1, 2}] struct S { bit<8> f; } //~ ERROR
