// spec: §8.21 Method invocations and function calls
extern void send(in bit<8> x);
control C() {
    apply { send(_); } //~ ERROR
}
