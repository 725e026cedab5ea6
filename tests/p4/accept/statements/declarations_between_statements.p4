// spec: §11.2 Variables
control C(inout bit<8> x) {
    bit<8> outer;
    bit<8> with_value = x + 1;
    apply {
        x = with_value;
        bit<8> y = x;
        const bit<8> k = 3;
        y = y + k;
        bit<8> z;
        z = y;
        outer = z;
        @name("w") bit<8> w = outer;
        x = w;
    }
}
