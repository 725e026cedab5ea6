// spec: §7.5 typedef
typedef bit<8> A typedef bit<8> B; //~ ERROR
