const bit<8> LIMIT = 3;
control C(inout bit<8> x) {
    bit<8> value = x;
    action set(bit<8> value) { //~ WARN parameter `value` hides the variable of that name
        x = value;
    }
    apply {
        bit<8> x = value; //~ WARN variable `x` hides the parameter of that name
        const bit<8> LIMIT = 4; //~ WARN constant `LIMIT` hides another constant of that name
        if (x == LIMIT) {
            bit<8> value = 2; //~ WARN variable `value` hides another variable of that name
            set(value);
        }
    }
}
bit<8> f() { return LIMIT; }
