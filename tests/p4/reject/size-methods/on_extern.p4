// spec: §9 Compile-time size determination
extern E { E(); }
control C(out bit<32> n) {
    E() e;
    apply { n = e.minSizeInBytes(); } //~ ERROR
}
