// spec: §7.2.13 Package types
control Pipe();
package Top(Pipe p);
control A() { apply { } }
Top(A()) top;
control C() {
    apply { top.apply(); } //~ ERROR
}
