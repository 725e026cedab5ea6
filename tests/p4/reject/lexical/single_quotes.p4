// spec: §6.4.3.3 String literals
extern void log(string s);
control C() { apply { log('text'); } } //~ ERROR
