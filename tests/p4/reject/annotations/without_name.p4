// spec: §20 Annotations
@("me") struct S { bit<8> f; } //~ ERROR
