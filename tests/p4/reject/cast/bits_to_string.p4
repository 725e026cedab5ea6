// spec: §8.12.1 Explicit casts
const string a = (string)8w1; //~ ERROR
