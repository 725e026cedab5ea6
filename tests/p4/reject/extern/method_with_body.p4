// spec: §7.2.10.2 Extern objects
extern E {
    E();
    bit<8> get() { return 1; } //~ ERROR
}
