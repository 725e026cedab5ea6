// spec: §7.2.11 Type specialization
extern Register<T> { Register(bit<32> size); T read(in bit<32> index); }
control C() {
    Register(16) r; //~ ERROR
    apply { }
}
