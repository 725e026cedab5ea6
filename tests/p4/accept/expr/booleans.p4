// spec: §8.5 Expressions on Booleans
control C(in bool a, in bool b, out bool c) {
    apply {
        c = a && b || !a;
        c = a == b;
        c = a != true;
        c = a ? b : false;
    }
}
