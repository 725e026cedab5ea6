// spec: §12.1 Assignment statement
control C(inout bit<8> x) {
    apply { if (x += 1) { } } //~ ERROR x = x + ...
}
