// spec: §11.2 Variables
control C() {
    int x = 5; //~ ERROR int
    apply { }
}
