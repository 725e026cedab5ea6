// spec: §F Restrictions on compile time and run time calls
extern void f<T>(in T x);
control C() {
    action a() { }
    apply { f(a); } //~ ERROR
}
