// spec: §8.23 Operations on extern objects
extern E { E(); void put(in bit<8> x); }
control C() {
    apply { E.put(1); } //~ ERROR
}
