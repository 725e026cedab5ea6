// spec: §13.5 Transition statements
control C() {
    apply { transition accept; } //~ ERROR
}
