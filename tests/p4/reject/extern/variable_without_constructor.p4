// spec: §11.2 Variables
extern E { E(); }
control C() {
    E e; //~ ERROR
    apply { }
}
