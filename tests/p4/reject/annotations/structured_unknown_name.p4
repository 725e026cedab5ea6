// spec: §20.2 Bodies of Structured Annotations
@Owner[nobody] struct S { bit<8> f; } //~ ERROR nobody
