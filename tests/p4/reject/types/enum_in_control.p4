// spec: §14 Control blocks
control C() {
    enum Suit { Clubs } //~ ERROR
    apply { }
}
