// spec: §6.4.4 Optional trailing commas
enum Suit { Clubs, Hearts, }
enum bit<8> Level { Low = 0, High = 1, }
match_kind { fuzzy, vague, }
