// Functions and actions choose their parameters, so that an unused one is suspicious. Parameters
// of controls and parsers are given by the architecture.
bit<8> twice(in bit<8> a, in bit<8> b) { return a + a; } //~ WARN parameter `b` is never used
control C(inout bit<8> x, in bit<8> imposed) {
    action set(bit<8> value, bit<8> mask) { //~ WARN parameter `mask` is never used
        x = value;
    }
    apply { set(twice(x, 1), 2); }
}
