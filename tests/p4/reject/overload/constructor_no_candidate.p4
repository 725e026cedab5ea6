// spec: §8.22 Constructor invocations
extern E {
    E();
    E(bit<8> size);
}
control C() {
    E(1, 2) e; //~ ERROR
    apply { }
}
