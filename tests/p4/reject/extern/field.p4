// spec: §7.2.10.2 Extern objects
extern E {
    bit<8> state_bits; //~ ERROR
}
