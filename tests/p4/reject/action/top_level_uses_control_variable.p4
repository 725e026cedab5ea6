// spec: §6.10 Visibility
action a() { hidden_variable = 1; } //~ ERROR hidden_variable
control C() {
    bit<8> hidden_variable;
    apply { a(); }
}
