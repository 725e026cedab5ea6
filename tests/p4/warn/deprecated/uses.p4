@deprecated("use Words") typedef bit<8> Bytes;
@deprecated("use modern") bit<8> old(in bit<8> a) { return a; }
extern Unit {
    Unit();
    @deprecated("use get with an index") bit<8> get();
    bit<8> get(in bit<8> index);
}
@deprecated("it counts wrongly") extern void count(in bit<8> a);
extern void count(in bit<8> a, in bit<8> b);
struct Meta { @deprecated("always 0") bit<8> depth; bit<8> width; }
control C(inout bit<8> x, in Meta m) {
    Unit() u;
    apply {
        Bytes y = x; //~ WARN type `Bytes` is deprecated
        x = old(y); //~ WARN function `old` is deprecated
        x = u.get(); //~ WARN method `get` is deprecated
        x = u.get(x);
        count(x); //~ WARN function `count` is deprecated
        count(x, 1);
        x = m.depth + m.width; //~ WARN field `depth` is deprecated
    }
}
