// spec: §12.7.3 Notes common to all switch statements
enum Suit { Clubs, Hearts }
control C(in Suit s) {
    apply {
        switch (s) {
            Suit.Clubs: { }
            Suit.Clubs: { } //~ ERROR
        }
    }
}
