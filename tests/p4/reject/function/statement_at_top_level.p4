// spec: §6.6 P4 programs
extern void log(string s);
log("hello"); //~ ERROR
