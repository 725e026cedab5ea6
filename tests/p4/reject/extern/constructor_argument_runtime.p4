// spec: §8.22 Constructor invocations
extern E { E(bit<8> size); }
control C(in bit<8> n) {
    E(n) e; //~ ERROR
    apply { }
}
