// spec: §8.21 Method invocations and function calls
extern void send(in bit<16> x);
control C(in bit<8> x) {
    apply { send(x); } //~ ERROR
}
