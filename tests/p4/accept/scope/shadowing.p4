// spec: §6.9 Name resolution
const bit<4> x = 1;
control C(out bit<4> a, out bit<8> b) {
    const bit<8> x = 8;
    const bit<4> y = .x;
    const bit<8> z = x;
    apply {
        a = y;
        { bit<16> x = 3; { bool x = true; } }
        b = x + z;
    }
}
