// spec: §6.8.2 Optional parameters
extern void f(in bit<8> a, @optional in bit<8> b, @optional out bit<8> c);
extern E { E(@optional bit<8> n); bit<8> get(@optional in bit<8> i); }
control C(inout bit<8> x) {
    E() one;
    E(4) two;
    E(n = 5) three;
    apply {
        f(1);
        f(1, 2);
        f(1, 2, x);
        f(a = 1, c = x);
        x = one.get() + two.get(3) + three.get(i = 1);
    }
}
