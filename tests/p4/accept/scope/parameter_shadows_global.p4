// spec: §6.9 Name resolution
const bit<8> n = 1;
bit<16> f(in bit<16> n) { return n + 1; }
control C(inout bit<32> n) {
    action a(bool n) { if (n) { exit; } }
    apply { a(true); n = n + 1; }
}
