// spec: §7.2.8 Type nesting rules
enum Suit { Clubs, Hearts }
struct S { Suit e; }
header H { S s; } //~ ERROR
