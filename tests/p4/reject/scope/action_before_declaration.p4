// spec: §6.6.1 Scopes
control C(inout bit<8> x) {
    action first() { second(); } //~ ERROR second
    action second() { x = 1; }
    apply { first(); }
}
