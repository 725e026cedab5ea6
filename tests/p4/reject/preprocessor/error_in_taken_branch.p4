// spec: §6.2 Preprocessing
#define WIDTH 12
#if WIDTH > 8
#error WIDTH is too large //~ ERROR
#endif
