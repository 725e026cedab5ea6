// spec: §7.2.2 Header types
header H { H again; } //~ ERROR
