// spec: §7.2.11 Type specialization
extern Counter { Counter(bit<32> size); }
control C() {
    Counter<bit<8>>(16) c; //~ ERROR
    apply { }
}
