// spec: §F Restrictions on compile time and run time calls
control Pipe();
package Top(Pipe p);
control A() { apply { } }
control C() {
    Top(A()) t; //~ ERROR
    apply { }
}
