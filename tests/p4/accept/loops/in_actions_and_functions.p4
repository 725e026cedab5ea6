// spec: §12.8 For statement
bit<8> sum(in bit<8> n) {
    bit<8> total = 0;
    for (bit<8> i in 8w0 .. n) { total = total + i; }
    return total;
}
control C(inout bit<8> x) {
    action a() { for (bit<8> i = 0; i < 3; i = i + 1) { x = x + sum(i); } }
    apply { a(); }
}
