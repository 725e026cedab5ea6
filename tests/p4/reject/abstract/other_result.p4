// spec: §11.3.1 Instantiating objects with abstract methods
extern Picker {
    Picker();
    abstract bit<4> choose(in bit<32> address);
}
Picker() b = { bit<8> choose(in bit<32> address) { return 1; } }; //~ ERROR
