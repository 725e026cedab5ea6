// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
enum bit<8> Pos { First = 0 }
control C(inout H[4] s, in bit<8> n, in H h, out bit<32> size, out bool b) {
    H[4] t;
    apply {
        s[0] = h;
        s[n].f = s[n + 1].f;
        s[Pos.First].setValid();
        s[2s1].f = 1;
        size = s.size;
        s.push_front(2);
        s.pop_front(1);
        t = s;
        b = t == s;
        s[3 - 1] = { 5 };
        b = s[n].isValid();
        t = { h, { 1 }, (H) {#}, { f = 3 } };
        t = (H[4]) { h, h, h, h };
        bit<(s.size * 8)> wide = 1;
    }
}
