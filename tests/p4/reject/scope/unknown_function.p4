// spec: §6.9 Name resolution
control C(inout bit<8> x) {
    apply { x = nothing(x); } //~ ERROR nothing
}
