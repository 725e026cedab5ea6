// spec: §F Restrictions on compile time and run time calls
bit<8> x; //~ ERROR
