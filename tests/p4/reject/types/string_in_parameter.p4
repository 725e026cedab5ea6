// spec: §7.1.5 Strings
extern void log(in string s); //~ ERROR string
