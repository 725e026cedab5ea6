// spec: §20 Annotations
@Owner[1]
@Owner[2] //~ ERROR owner
struct S { bit<8> f; }
