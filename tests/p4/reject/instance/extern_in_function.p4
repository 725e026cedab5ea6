// spec: §F Restrictions on compile time and run time calls
extern E { E(); }
void f() { E() e; } //~ ERROR
