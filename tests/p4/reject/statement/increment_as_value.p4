// spec: §8.1 Expression evaluation order
control C(inout bit<8> x, inout bit<8> y) {
    apply { y = x++; } //~ ERROR write x = x + 1;
}
