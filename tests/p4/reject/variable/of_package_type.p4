// spec: §11.2 Variables
control Pipe();
package Top(Pipe p);
control C() {
    Top t; //~ ERROR
    apply { }
}
