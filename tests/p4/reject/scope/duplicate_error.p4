// spec: §7.1.2 The error type
error { Overheated }
error { Cold, Overheated } //~ ERROR overheated
