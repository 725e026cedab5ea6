// spec: §F Restrictions on compile time and run time calls
header H { bit<8> f; }
header_union U { H h; }
struct S { H h; U u; }
enum Suit { Clubs }
extern S f1();
extern H f2();
extern U f3();
extern Suit f4();
extern error f5();
extern tuple<bit<8>, bool> f6();
extern H[2] f7();
extern varbit<8> f8();
control C(out S s, out bool b) {
    apply { s = f1(); s.h = f2(); s.u = f3(); b = f4() == Suit.Clubs; H[2] st = f7(); varbit<8> v = f8(); }
}
