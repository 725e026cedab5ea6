// spec: §7.1.4 The Boolean type
const bool<1> a = true; //~ ERROR
