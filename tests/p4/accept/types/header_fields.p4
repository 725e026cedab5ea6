// spec: §7.2.2 Header types
enum bit<4> Kind { A = 1, B = 2 }
typedef bit<12> Twelve;
type bit<9> Port;
struct Inner { bit<8> a; Kind k; bool b; }
struct Outer { Inner i; int<4> n; }
header H { bit<8> f; int<16> g; bool h; Kind k; Twelve t; Port p; Outer o; varbit<32> v; }
