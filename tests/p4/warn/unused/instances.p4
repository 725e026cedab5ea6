extern Register { Register(bit<32> size); bit<8> read(in bit<8> index); }
control Inner(inout bit<8> x) { apply { x = x + 1; } }
control C(inout bit<8> x) {
    Register(16) seen;
    Register(16) forgotten; //~ WARN instance `forgotten` is never used
    Inner() first;
    Inner() second; //~ WARN instance `second` is never used
    apply { x = seen.read(x); first.apply(x); }
}
