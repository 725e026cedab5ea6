// spec: §6.8 Calling convention: call by copy in/copy out
extern Cells {
    Cells(bit<32> size);
    void read(out bit<8> result, in bit<32> index);
}
control C(inout bit<8> x) {
    Cells(4) r;
    apply {
        bit<8> v = r.read(0); //~ ERROR r.read(v, 0)
        x = r.read(1); //~ ERROR r.read(x, 1)
        if (r.read(2) == v) { x = 1; } //~ ERROR r.read(v, 2)
    }
}
