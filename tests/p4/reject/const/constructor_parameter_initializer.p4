// spec: §11.1 Constants
control C()(bit<8> n) {
    const bit<8> k = n + 1; //~ ERROR
    apply { }
}
