// spec: §6.8 Calling convention
extern E {
    E(in bit<8> n); //~ ERROR
}
