// spec: §8.12.1 Explicit casts
const bool a = (bool)2; //~ ERROR
