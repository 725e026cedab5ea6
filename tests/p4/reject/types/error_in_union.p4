// spec: §7.2.4 Header unions
header_union U { error e; } //~ ERROR
