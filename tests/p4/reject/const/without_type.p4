// spec: §11.1 Constants
const a = 1; //~ ERROR
