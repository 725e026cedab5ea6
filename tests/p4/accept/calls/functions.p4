// spec: §10 Function declarations
bit<32> larger(in bit<32> a, in bit<32> b) { return a > b ? a : b; }
void none() { }
void early(inout bit<8> x) { if (x == 1) return; x = 2; }
bit<8> paths(in bit<8> x) {
    if (x == 1) { return 1; } else if (x == 2) { return 2; } else { return 3; }
}
bit<8> switched(in bit<8> x) {
    switch (x) { 1: 2: { return 1; } default: { return 0; } }
}
bool looped(in bit<8> n) {
    for (bit<8> i = 0; i < n; i += 1) { if (i == 3) return true; }
    return false;
}
tuple<bit<8>, bool> pair(in bit<8> x) { return { x, true }; }
control C(inout bit<8> x, out bit<32> y) {
    bit<32> start = larger(3, 4);
    apply { none(); early(x); y = larger(a = start, b = larger(1, 2)); x = paths(switched(x)) + pair(x)[0]; }
}
