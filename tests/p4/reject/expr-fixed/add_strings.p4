// spec: §8.6 Operations on strings
const string s = "a" + "b"; //~ ERROR
