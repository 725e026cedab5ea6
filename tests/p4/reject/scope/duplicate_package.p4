// spec: §7.2.10.2 Extern objects
control Pipe();
package Top(Pipe p);
package Top(Pipe p, Pipe q); //~ ERROR top
