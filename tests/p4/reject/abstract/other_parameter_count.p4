// spec: §11.3.1 Instantiating objects with abstract methods
extern Picker {
    Picker();
    abstract bit<4> choose(in bit<32> address);
}
Picker() b = { bit<4> choose(in bit<32> address, in bit<8> port) { return 1; } }; //~ ERROR
