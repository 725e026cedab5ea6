// spec: §7.2.8 Type nesting rules
typedef match_kind Kind; //~ ERROR
