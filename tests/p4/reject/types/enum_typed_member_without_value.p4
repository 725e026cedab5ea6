// spec: §7.2.1 Enumeration types
enum bit<8> Suit { Clubs = 1, Hearts } //~ ERROR
