// spec: §7.1.3 The match kind type
match_kind { fuzzy, fuzzy } //~ ERROR fuzzy
