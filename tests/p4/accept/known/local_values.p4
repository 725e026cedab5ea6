// spec: §18.1 Compile-time known and local compile-time known values
header H { bit<8> f; }
struct S { bit<8> n; bit<16> m; }
enum bit<8> Level { High = 3 }
const S s = { n = 4, m = 5 };
const tuple<bit<8>, bit<8>> t = { 6, 7 };
const H h = { 2 };
const bool b = s.n == 4 && !(t[1] < 7) || h.f != 2;
const bit<(s.n)> from_struct = 1;
const bit<(t[1])> from_tuple = 1;
const bit<(h.f ++ 4w0)> from_header = 1;
const bit<(b ? 3 : 9)> from_bool = 1;
const bit<((bit<8>)Level.High)> from_enum = 1;
const bit<(8w0x1F[4:2])> from_slice = 1;
control C(inout H[3] st, in bit<32> x, out bit<1> y) {
    apply { y = x[st.size:3]; st[s.n - 2].f = 1; }
}
