// spec: §7.2.10.2 Extern objects
extern Picker {
    Picker();
    abstract bit<4> choose(in bit<32> address);
    abstract bit<4> choose(in bit<32> address, in bit<8> port); //~ ERROR choose
}
