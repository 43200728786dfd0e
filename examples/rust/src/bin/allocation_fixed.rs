// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! Looks at the words where they are.

fn make_text() -> String {
    (0..4000).map(|i| format!("a line with a rather long_word_number_{} and some more_of_the_longer_words\n", i * 7919 % 4000)).collect()
}

fn count_long_words(text: &str) -> usize {
    text.split('\n').flat_map(|line| line.split(' ')).filter(|word| word.len() > 16).count()
}

fn main() {
    let text = make_text();
    println!("{}", (0..100).map(|_| count_long_words(&text)).sum::<usize>());
}
