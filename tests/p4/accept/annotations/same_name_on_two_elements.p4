// spec: §20 Annotations
@Owner(1) struct A { bit<8> f; }
@Owner[2] struct B { bit<8> f; }
