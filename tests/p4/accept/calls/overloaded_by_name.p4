// spec: §7.2.10.2 Extern objects
extern void f(in bit<8> first);
extern void f(in bool second);
extern E {
    E();
    E(bit<8> size);
    E(bool flag);
    void put(in bit<8> x);
    void put(in bit<8> x, in bit<8> y);
    void put(in bool flag);
}
control C() {
    E() a;
    E(size = 5) b;
    E(flag = true) c;
    apply {
        f(first = 1);
        f(second = true);
        a.put(x = 1);
        b.put(1, 2);
        c.put(flag = false);
    }
}
