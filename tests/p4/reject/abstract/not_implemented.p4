// spec: §11.3.1 Instantiating objects with abstract methods
extern Picker {
    Picker();
    abstract bit<4> choose(in bit<32> address);
}
control C() {
    Picker() b; //~ ERROR choose|abstract
    apply { }
}
