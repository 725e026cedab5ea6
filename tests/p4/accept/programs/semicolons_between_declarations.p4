// spec: §6.6 P4 programs
struct S { bit<8> f; };
header H { bit<8> f; };
control C() { apply { } };
enum Suit { Clubs };
