// spec: §7.2.8 Type nesting rules
type varbit<8> Bits; //~ ERROR
