// spec: §11.1 Constants
const bool a = 8w1; //~ ERROR
