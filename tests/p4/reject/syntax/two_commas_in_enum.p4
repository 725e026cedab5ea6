// spec: §6.4.4 Optional trailing commas
enum Suit { Clubs, Hearts,, } //~ ERROR
