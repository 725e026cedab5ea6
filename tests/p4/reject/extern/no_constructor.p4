// spec: §8.22 Constructor invocations
extern E { void put(in bit<8> x); }
control C() {
    E() e; //~ ERROR
    apply { }
}
