// spec: §12.8 For statement
enum bit<8> Level { Low = 0, High = 5 }
control C(inout bit<8> x) {
    apply {
        for (bit<8> i in 0 .. 7) { x = x + i; }
        for (bit<8> i in 8w1 .. x) x = x + i;
        for (bit<8> i in x + 1 .. x + 3) { x = i; }
        for (int<8> i in -3 .. 3) { x = (bit<8>)i; }
    }
}
