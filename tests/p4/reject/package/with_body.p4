// spec: §7.2.13 Package types
control Pipe();
package Top(Pipe p) { } //~ ERROR
