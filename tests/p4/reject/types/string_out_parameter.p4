// spec: §7.1.5 Strings
extern void read(out string s); //~ ERROR string
