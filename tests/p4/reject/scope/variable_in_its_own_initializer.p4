// spec: §6.6.1 Scopes
control C(inout bit<8> x) {
    apply {
        bit<8> fresh = fresh + 1; //~ ERROR fresh
        x = fresh;
    }
}
