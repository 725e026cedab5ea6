// spec: §7.1.6.4 Dynamically-sized bit-strings
header H { varbit f; } //~ ERROR
