// spec: §20 Annotations
@Owner("me") @Owner[team="net"] struct S { bit<8> f; } //~ ERROR owner
