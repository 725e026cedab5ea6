// spec: §20 Annotations
@Owner[1] @Owner[2] struct S { bit<8> f; } //~ ERROR owner
