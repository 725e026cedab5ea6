// spec: §8.21 Method invocations and function calls
extern void f(in bit<32> x, out bit<16> y);
control C(in bit<32> a, out bit<16> b) {
    apply {
        f(a, b);
        f(x = a, y = b);
        f(y = b, x = a);
        f(x = 5, y = _);
        f(5, _);
    }
}
