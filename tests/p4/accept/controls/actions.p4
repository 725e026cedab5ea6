// spec: §14.1 Actions
extern bit<8> rand();
action top(inout bit<8> x, in bit<8> y) { x = y; }
control C(inout bit<8> x, in bit<8> y) {
    action simple() { }
    action data(bit<8> d, bool b) { if (b) { x = d; } }
    action mixed(in bit<8> a, out bit<8> o, inout bit<8> io, bit<8> d) { o = a + io; io = d; }
    action outer(bit<8> d) { data(d, true); top(x, d); simple(); x = rand(); }
    apply {
        simple();
        data(y, x == 1);
        data(b = true, d = 3);
        bit<8> o;
        mixed(1, o, x, o);
        outer(y);
        top(x, 4);
        .top(x, 5);
    }
}
