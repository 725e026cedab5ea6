// spec: §6.4.4 Optional trailing commas
enum Choice {
#if WITH_FIRST
    first,
#endif
    second,
    third,
}
const Choice c = Choice.second;
