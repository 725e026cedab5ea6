// spec: §F Restrictions on compile time and run time calls
control Pipe();
extern E {
    E(Pipe p); //~ ERROR
}
