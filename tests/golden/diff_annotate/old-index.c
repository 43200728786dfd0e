// Index.
void tokenize(void) {
  for (int i = 0; i < n; ++i) {
    if (!text[i]) { return; }
    sum += hash(text[i]);
    write(sum);
    slow(i);
  }
}
