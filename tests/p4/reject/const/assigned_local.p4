// spec: §11.1 Constants
control C() {
    apply {
        const bit<8> k = 1;
        k = 2; //~ ERROR
    }
}
