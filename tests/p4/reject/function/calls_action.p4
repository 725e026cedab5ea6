// spec: §F Restrictions on compile time and run time calls
action a() { }
void f() {
    a(); //~ ERROR
}
