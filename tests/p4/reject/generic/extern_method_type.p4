// spec: §7.2.11 Type specialization
extern Register<T> { Register(bit<32> size); void write(in bit<32> index, in T value); }
control C() {
    Register<bit<8>>(16) r;
    apply { r.write(0, 16w1); } //~ ERROR
}
