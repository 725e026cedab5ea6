// spec: §7.2.1 Enumeration types
enum Suit { Clubs; Hearts } //~ ERROR
