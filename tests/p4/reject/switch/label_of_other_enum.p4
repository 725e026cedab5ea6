// spec: §12.7.2 Switch statement with integer or enumerated type expression
enum Suit { Clubs, Hearts }
enum Colour { Black, Red }
control C(in Suit s) {
    apply {
        switch (s) {
            Colour.Red: { } //~ ERROR
        }
    }
}
