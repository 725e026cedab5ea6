// spec: §11.1 Constants
control C(in bit<8> x) {
    const bit<8> k = x; //~ ERROR
    apply { }
}
