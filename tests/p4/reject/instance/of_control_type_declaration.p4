// spec: §11.3 Instantiations
control Pipe();
control C() {
    Pipe() p; //~ ERROR
    apply { p.apply(); }
}
