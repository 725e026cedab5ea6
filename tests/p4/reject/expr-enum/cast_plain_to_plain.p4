// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
enum Colour { Black, Red }
control C(in Suit s, out Colour c) {
    apply { c = (Colour)s; } //~ ERROR
}
