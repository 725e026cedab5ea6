// spec: §12.6 Conditional statement
struct M { bit<8> a; }
control C(inout M meta) {
    apply { if (meta.a) { meta.a = 0; } } //~ ERROR meta.a != 0
}
