// spec: §11.1 Constants
const bit<8> k = 1;
control C() {
    apply { k = 2; } //~ ERROR
}
