static inline void step(void) {
  // Twice.
  a *= b;
  b += a; // größer [31m
}
