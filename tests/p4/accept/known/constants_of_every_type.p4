// spec: §11.1 Constants
#include <core.p4>
header H { bit<8> f; }
struct S { bit<8> n; bool b; H h; }
enum Suit { Clubs }
type bit<8> Port;
const int i = 1 << 70;
const bool b = true;
const string str = "text";
const error e = error.NoError;
const match_kind k = exact;
const Suit c = Suit.Clubs;
const Port p = (Port)3;
const S s = { 1, true, { 5 } };
const H h = (H) {#};
const tuple<bit<8>, S> t = { 2, { 3, false, { 4 } } };
const list<bit<8>> l = (list<bit<8>>) { 1, 2 };
