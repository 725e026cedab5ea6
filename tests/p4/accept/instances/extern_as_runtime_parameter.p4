// spec: §F Restrictions on compile time and run time calls
extern E { E(); bit<8> get(); }
extern bit<8> use(E e);
control Inner(E e, out bit<8> x) { apply { x = e.get() + use(e); } }
control Outer(E given, out bit<8> x) {
    E() own;
    Inner() a;
    apply { a.apply(own, x); a.apply(given, x); }
}
