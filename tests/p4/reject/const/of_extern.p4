// spec: §11.3 Instantiations
extern E { E(); }
const E e = E(); //~ ERROR
