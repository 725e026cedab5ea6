// spec: §7.1.1 The void type
const void a = 1; //~ ERROR
