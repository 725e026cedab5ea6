// spec: §F Restrictions on compile time and run time calls
control Pipe();
extern Pipe make(); //~ ERROR
