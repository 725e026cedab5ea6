// spec: §7.2.10.1 Extern functions
extern void consume<T>(in T x);
extern void produce<T>(out T x);
extern void update<O, T, D>(out O result, in T base, in D data, in tuple<T, D> both);
header H { bit<8> f; }
enum Suit { Clubs }
control C(inout H h, inout bit<16> r) {
    H[2] st;
    apply {
        consume(h);
        consume({ h.f, r, { h } });
        consume(8w1);
        consume(Suit.Clubs);
        produce(h);
        produce(st);
        produce<bit<16>>(_);
        update(r, 8w1, { h.f, r }, { 8w1, { h.f, r } });
    }
}
