// spec: §8.21 Method invocations and function calls
extern void change(inout bit<8> x);
control C() {
    apply { change(_); } //~ ERROR
}
