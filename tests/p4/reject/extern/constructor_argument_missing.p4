// spec: §8.22 Constructor invocations
extern E { E(bit<8> size); }
control C() {
    E() e; //~ ERROR
    apply { }
}
