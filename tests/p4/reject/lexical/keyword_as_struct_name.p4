// spec: §B P4 reserved keywords
struct transition { bit<8> f; } //~ ERROR
