// Index.
void tokenize(void) {
  int n = size();
  for (int i = 0; i < n; ++i) {
    if (!text[i]) { return; }
      sum += hash(text[i]);
    write(sum);
    fast(i);
  }
}
