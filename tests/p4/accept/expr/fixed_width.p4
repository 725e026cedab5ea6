// spec: §8.7 Operations on fixed-width bit types
control C(inout bit<8> x, in bit<8> y, inout int<8> s, out bool b) {
    apply {
        x = x + y - y * x;
        x = x |+| y |-| 1;
        x = (x & y) | (x ^ ~y);
        x = -x;
        x = +x;
        s = s + 1 - 2 * s |+| s |-| -s;
        s = s & ~s | s ^ -1;
        b = x < y || x <= 5 || 5 > y || x >= y || x == y || 3 != y;
        b = s < 0 && s >= -128;
    }
}
