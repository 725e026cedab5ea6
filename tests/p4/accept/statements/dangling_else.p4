// spec: §12.6 Conditional statement
control C(in bool a, in bool b, out bit<8> x) {
    apply {
        x = 0;
        if (a) if (b) x = 1; else x = 2;
        if (a) { } else if (b) { x = 3; } else { x = 4; }
        if (a) @likely { x = 5; } else @unlikely { x = 6; }
    }
}
