// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
enum Colour { Black, Red }
control C(in Suit s, in Colour c, out bool y) {
    apply { y = s == c; } //~ ERROR
}
