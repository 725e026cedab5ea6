// spec: §17.2 Example architecture program
control A() { apply { } }
Switch(A()) main; //~ ERROR switch
