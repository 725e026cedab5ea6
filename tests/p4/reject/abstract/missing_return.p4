// spec: §10 Function declarations
extern Picker {
    Picker();
    abstract bit<4> choose(in bit<32> address);
}
Picker() b = { bit<4> choose(in bit<32> address) { } }; //~ ERROR
