// spec: §7.2.1 Enumeration types
enum Suit { Clubs = 1, Hearts = 2 } //~ ERROR
