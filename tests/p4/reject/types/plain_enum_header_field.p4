// spec: §7.2.8 Type nesting rules
enum Suit { Clubs, Hearts }
header H { Suit f; } //~ ERROR
