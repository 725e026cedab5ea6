// spec: §7.2.8 Type nesting rules
typedef string Text; //~ ERROR
