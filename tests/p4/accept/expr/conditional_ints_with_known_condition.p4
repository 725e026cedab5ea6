// spec: §8.5.1 Conditional operator
const int a = true ? 1 : 2;
const bool wide = a > 1;
const bit<8> b = wide ? 16 : 8;
control C(in bool c, out bit<8> x) {
    apply {
        x = c ? 8w1 : 2;
        x = c ? 1 : 8w2;
        x = wide ? 3 : 4;
    }
}
