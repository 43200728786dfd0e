// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Patterns that users type: the search, and transforms that keep or drop what matches. All parts of the page read them with this.

// What is not matched letter by letter: escapes (\W, \x4A, \cJ, \p{Lu}, \k<Name>; an escaped backslash stays one) and names of groups.
const kNotLiteral = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[a-zA-Z]|[pP]\{[^}]*\}|k<[^>]*>|[^])|\(\?<[^=!][^>]*>/g;

// Case matters only if the pattern has an upper-case letter that is matched.
export function isCaseSensitive(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replace(kNotLiteral, ""));
}

// Throws an error that says why it is not a regular expression.
export function compilePattern(pattern: string, flags = ""): RegExp {
  try {
    return new RegExp(pattern, isCaseSensitive(pattern) ? flags : `${flags}i`);
  } catch (error) {
    // Engines put the pattern before the reason.
    const text = error instanceof Error ? error.message : "";
    const begin = text.lastIndexOf(": ");
    throw new Error(begin < 0 ? "not a regular expression" : `not a regular expression: ${text.slice(begin + 2)}`);
  }
}

export function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}

// A regular expression for this text.
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

// For the search box: functions with one of these names; long ones by their beginning.
export function anyOfNames(names: readonly string[]): string {
  const kLong = 200;
  const parts = names.map((name) => (name.length > kLong ? escaped(name.slice(0, kLong)) : `${escaped(name)}$`));
  return `^(${parts.join("|")})`;
}
