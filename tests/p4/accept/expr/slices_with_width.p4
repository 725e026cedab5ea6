// spec: §8.7 Operations on fixed-width bit types
const int W = 4;
control C(inout bit<16> x, out bit<4> y) {
    apply {
        y = x[4+:4];
        y = x[12+:W];
        x[0+:4] = y;
    }
}
