// spec: §18.1 Compile-time known and local compile-time known values
control C()(int width) {
    bit<(width)> x; //~ ERROR
    apply { }
}
