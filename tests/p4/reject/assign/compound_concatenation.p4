// spec: §12.1 Assignment statement
control C(inout bit<8> x) {
    apply { x ++= 8w1; } //~ ERROR
}
