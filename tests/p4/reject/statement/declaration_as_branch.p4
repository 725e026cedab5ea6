// spec: §12.6 Conditional statement
control C(inout bool x) {
    apply { if (x) bit<8> y = 1; } //~ ERROR
}
