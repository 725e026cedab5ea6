// spec: §7.2.10.2 Extern objects
control Pipe() { apply { } }
control Pipe(inout bit<8> x) { apply { } } //~ ERROR pipe
