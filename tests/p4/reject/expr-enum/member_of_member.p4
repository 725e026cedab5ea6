// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
const Suit s = Suit.Clubs.Hearts; //~ ERROR
