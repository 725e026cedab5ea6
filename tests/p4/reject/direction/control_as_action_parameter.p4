// spec: §F Restrictions on compile time and run time calls
control Pipe();
control C() {
    action a(Pipe p) { } //~ ERROR
    apply { }
}
