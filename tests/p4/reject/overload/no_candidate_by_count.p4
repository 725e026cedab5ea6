// spec: §7.2.10.2 Extern objects
extern E {
    E();
    void put(in bit<8> x);
    void put(in bit<8> x, in bit<8> y);
}
control C() {
    E() e;
    apply { e.put(); } //~ ERROR put
}
