// spec: §15.1 Direct type invocation
control Pipe();
control C() {
    apply { Pipe.apply(); } //~ ERROR
}
