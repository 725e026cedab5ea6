// spec: §7.2.8 Type nesting rules
typedef void Nothing; //~ ERROR
