// spec: §7.2.6 Tuple types
const tuple<bit<8> a, bool b> t = { 1, true }; //~ ERROR
