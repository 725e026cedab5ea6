// spec: §18.1 Compile-time known and local compile-time known values
control C(in bit<8> x, out bit<4> y)(bit<8> n) {
    apply { y = x[n:4]; } //~ ERROR
}
