// spec: §6.6 P4 programs
1 + 2; //~ ERROR
