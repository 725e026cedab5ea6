// spec: §8.13 Operations on tuple expressions
const tuple<bit<8>, bool> t = { true, 1 }; //~ ERROR
