// spec: §7.1.2 The error type
#include <core.p4>
error { Broken, Clubs }
enum Suit { Clubs, NoError }
const error a = error.Clubs;
const Suit b = Suit.NoError;
const bit<8> Broken = 1;
