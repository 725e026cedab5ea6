// spec: §F Restrictions on compile time and run time calls
control Pipe();
extern void run(Pipe p); //~ ERROR
