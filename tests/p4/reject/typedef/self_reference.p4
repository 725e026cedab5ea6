// spec: §6.6.1 Scopes
typedef Self Self; //~ ERROR self
