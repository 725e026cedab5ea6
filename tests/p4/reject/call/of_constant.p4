// spec: §8.21 Method invocations and function calls
const bit<8> N = 1;
control C() {
    apply { N(); } //~ ERROR
}
