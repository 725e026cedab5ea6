// spec: §11.3.1 Instantiating objects with abstract methods
extern Picker {
    Picker();
    bit<32> flows();
    abstract bit<4> pick(in bit<32> address);
}
Picker() top = {
    bit<4> pick(in bit<32> address) {
        return this.flows()[3:0] ^ address[31:28];
    }
};
control C(out bit<4> port) {
    Picker() local = {
        bit<4> pick(in bit<32> a) { return a[7:4]; }
    };
    apply { port = top.pick(5) + local.pick(6); }
}
