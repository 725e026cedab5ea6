// spec: §20.3.5 Branch prediction annotations
control C(inout bit<8> x) {
    apply {
        switch (x) { 1: @likely { x = 2; } default: @unlikely { x = 3; } }
    }
}
