// spec: §6.8 Calling convention
control Inner(bit<8> n, out bit<8> y) { apply { y = n; } }
control Outer(in bit<8> x, out bit<8> y) {
    Inner() inner;
    apply { inner.apply(x, y); } //~ ERROR
}
