// Hash.
int hash(int c) {
  c *= 33;
  return c ^ mix(c);
}
