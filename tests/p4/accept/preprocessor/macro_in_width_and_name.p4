// spec: §6.2 Preprocessing
#define WIDTH 16
#define NAME counter_value
const bit<WIDTH> NAME = 5;
const bit<16> b = counter_value;
