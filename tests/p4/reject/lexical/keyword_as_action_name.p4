// spec: §B P4 reserved keywords
control C() {
    action select() { } //~ ERROR
    apply { }
}
