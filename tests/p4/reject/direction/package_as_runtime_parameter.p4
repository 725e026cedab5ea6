// spec: §7.2.12 Parser and control blocks types
control Pipe();
package Top(Pipe p);
control C(Top t) { apply { } } //~ ERROR
