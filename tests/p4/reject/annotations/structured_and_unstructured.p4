// spec: §20 Annotations
@Owner("me")
@Owner[team="net"] //~ ERROR owner
struct S { bit<8> f; }
