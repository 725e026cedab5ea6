// spec: §9 Compile-time size determination
header A { bit<8> f; varbit<32> v; }
header B { bit<16> g; }
header_union U { A a; B b; }
enum bit<8> Level { Low = 0 }
typedef bit<12> Twelve;
type bit<9> Port;
struct S { bit<8> f; bool b; B h; }
const bit<32> t1 = Twelve.minSizeInBits();
const bit<32> t2 = Port.maxSizeInBytes();
const bit<32> t3 = A.maxSizeInBits() + S.minSizeInBytes();
control C(in A a, in U u, in B[4] st, in Level l, in S s, in tuple<bit<8>, bool> t, out bit<32> n) {
    apply {
        n = a.minSizeInBits() + a.maxSizeInBits();
        n = u.minSizeInBytes() + u.maxSizeInBytes();
        n = st.minSizeInBits() + l.minSizeInBits() + s.minSizeInBits() + t.minSizeInBits();
        bit<(s.minSizeInBits())> flat = 0;
    }
}
