// spec: §6.9 Name resolution
control C(inout bit<8> x) {
    action first() { second(); } //~ ERROR line 4
    action second() { x = 1; }
    apply { first(); }
}
