// spec: §11.3.1 Instantiating objects with abstract methods
extern Picker {
    Picker();
    abstract bit<8> pick(in bit<8> address);
}
control C(out bit<8> x) {
    bit<8> local = 3;
    Picker() p = {
        bit<8> pick(in bit<8> address) { return address + local; } //~ ERROR local
    };
    apply { x = p.pick(1); }
}
