// spec: §13.4 Parser states
state start { transition accept; } //~ ERROR
