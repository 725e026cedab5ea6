void f(out bit<8> r, in bit<8> a) { } //~ WARN `out` parameter `r` is never written
control Inner(out bit<8> y, in bit<8> x) { //~ WARN `out` parameter `y` is never written
    apply { bit<8> z = 0; f(z, x); }
}
control C(inout bit<8> x) {
    Inner() inner;
    action fill(out bit<8> r, in bit<8> a) { //~ WARN `out` parameter `r` is never written
        x = a;
    }
    apply { inner.apply(x, 1); fill(x, 2); }
}
