// spec: §F Restrictions on compile time and run time calls
control Pipe();
package Top(Pipe p);
action a(Top t) { } //~ ERROR
