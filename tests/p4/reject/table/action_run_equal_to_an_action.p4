// spec: §14.2.2 Match-action unit invocation
control C(inout bit<8> x) {
    action pop() { x = 0; }
    table t {
        actions = { pop; }
        const default_action = pop();
    }
    apply {
        if (t.apply().action_run == pop) { x = 1; } //~ ERROR switch (t.apply().action_run) { pop:
    }
}
