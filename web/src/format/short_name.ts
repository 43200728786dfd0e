// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Function names without arguments, as src/model/function_name.cc shortens them. Two passes in linear time for any text: the first
// matches brackets, the second copies what stays.

const kOperator = "operator";
const kSigns = [
  "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=",
  "&=", "|=", "==", "!=", "<", ">", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", ",",
];
const kQualifiers = [" const", " volatile", " &&", " &", " noexcept"];

// "ns::Type<int>::run(int) const" -> "ns::Type::run". Operators, lambdas and closures stay. Other text stays unchanged.
export function shortName(name: string): string {
  return /[<([{]/.test(name) ? new Shortener(name).run() : name;
}

// A short name without its outermost scope; empty if there is none to drop. A closure is never separated from its function.
export function withoutOuterScope(name: string): string {
  let depth = 0;
  for (let i = 0; i + 2 < name.length; ++i) {
    const c = name[i]!;
    const length = c === "o" ? operatorLength(name, i) : 0;
    if (length > 0) i += length - 1;
    else if ("<([{".includes(c)) ++depth;
    else if (")]}".includes(c) || (c === ">" && i > 0 && name[i - 1] !== "-")) --depth;
    else if (depth === 0 && name.startsWith("::", i)) return name[i + 2] === "{" ? "" : name.slice(i + 2);
  }
  return "";
}

function isIdentifier(c: string): boolean {
  return /[\w$\u0080-\uffff]/.test(c);
}

// The length of "operator" and its symbol at `at`, else 0. Brackets in the symbol do not count.
function operatorLength(name: string, at: number): number {
  if (!name.startsWith(kOperator, at) || (at > 0 && isIdentifier(name[at - 1]!))) return 0;
  const after = at + kOperator.length;
  if (after < name.length && isIdentifier(name[after]!)) return 0;
  return kOperator.length + (kSigns.find((sign) => name.startsWith(sign, after))?.length ?? 0);
}

class Shortener {
  private readonly close: Int32Array; // of an opening bracket: where it closes; 0: not a bracket
  private readonly inside: { close: number; out: number }[] = []; // open brackets that are kept
  private out = "";

  constructor(private readonly name: string) {
    this.close = new Int32Array(name.length);
  }

  run(): string {
    if (!this.matchBrackets()) return this.name;
    for (let at = 0; at < this.name.length; ) at = this.copy(at);
    return this.out === "" ? this.name : this.out;
  }

  private canOpen(at: number, afterOperator: boolean, inParentheses: boolean): boolean {
    const before = at === 0 ? "(" : this.name[at - 1]!;
    if (afterOperator || isIdentifier(before) || ":(,<&*[ ]".includes(before)) return true;
    return before === "}" && !inParentheses;
  }

  // False if brackets do not match: not a demangled name.
  private matchBrackets(): boolean {
    const { name, close } = this;
    const open: number[] = [];
    const last = () => (open.length === 0 ? "" : name[open[open.length - 1]!]!);
    let operatorArguments = -1; // where they may begin
    for (let i = 0; i < name.length; ++i) {
      const c = name[i]!;
      const length = c === "o" ? operatorLength(name, i) : 0;
      if (length > 0) {
        i += length - 1;
        operatorArguments = i + 1 + (name.startsWith(" <", i + 1) ? 1 : 0);
      } else if (c === "<") {
        if (this.canOpen(i, i === operatorArguments, last() === "(")) open.push(i);
      } else if (c === "(" || c === "[" || c === "{") {
        open.push(i);
      } else if (c === ">") {
        const arrow = i > 0 && name[i - 1] === "-";
        if (!arrow && last() === "<") close[open.pop()!] = i;
      } else if (c === ")" || c === "]" || c === "}") {
        while (last() === "<") open.pop(); // those were less-than signs
        if (last() !== (c === ")" ? "(" : c === "]" ? "[" : "{")) return false;
        close[open.pop()!] = i;
      }
    }
    return open.every((at) => name[at] === "<");
  }

  // Copies or drops what is at `at`; returns where to continue.
  private copy(at: number): number {
    const { name, close, inside } = this;
    const c = name[at]!;
    if (inside.length > 0 && at === inside[inside.length - 1]!.close) return this.leave(at);
    const length = c === "o" ? operatorLength(name, at) : 0;
    if (length > 0) return this.copyOperator(at, length);
    if (close[at] !== 0) {
      if (c === "<") return this.copyAngles(at);
      if (c === "(" && inside.length === 0 && this.isParameters(at)) return this.afterQualifiers(close[at]! + 1);
      if (c === "[" && inside.length === 0 && name.startsWith("[abi:", at)) return close[at]! + 1;
      inside.push({ close: close[at]!, out: this.out.length });
    }
    this.out += c;
    return at + 1;
  }

  private leave(at: number): number {
    const begin = this.inside.pop()!.out;
    this.out += this.name[at]!;
    // "<a::b::Vec>::push": the brackets are no longer needed.
    if (this.out[begin] === "<" && this.name.startsWith("::", at + 1)) {
      const inner = this.out.slice(begin + 1, -1);
      if (/^[\w$:\u0080-\uffff]+$/.test(inner)) this.out = this.out.slice(0, begin) + inner;
    }
    return at + 1;
  }

  private copyAngles(at: number): number {
    const before = at === 0 ? "(" : this.name[at - 1]!;
    const partOfPath = before === ":" && this.name.startsWith("<impl ", at);
    if (partOfPath || "(,<&*[ ".includes(before)) {
      this.inside.push({ close: this.close[at]!, out: this.out.length }); // a type: <T as Trait>
      this.out += "<";
      return at + 1;
    }
    if (before === ":" && this.out.endsWith("::")) this.out = this.out.slice(0, -2); // f::<T>
    return this.close[at]! + 1;
  }

  // Not "(anonymous namespace)", nor a Go receiver: main.(*T).f
  private isParameters(at: number): boolean {
    return this.out !== "" && !": .".includes(this.name[at - 1]!);
  }

  private afterQualifiers(at: number): number {
    for (;;) {
      const word = kQualifiers.find((x) => {
        const end = at + x.length;
        return this.name.startsWith(x, at) && (end === this.name.length || !isIdentifier(this.name[end]!));
      });
      if (word === undefined) return at;
      at += word.length;
    }
  }

  private copyOperator(at: number, length: number): number {
    const { name, close } = this;
    this.out += name.slice(at, at + length);
    at += length;
    const begin = at + (name.startsWith(" <", at) ? 1 : 0);
    if (name[begin] === "<" && close[begin] !== 0) return close[begin]! + 1;
    const conversion = length === kOperator.length && name[at] === " ";
    return conversion ? this.copyConversion(at) : at;
  }

  // Copies up to the (empty) parameters. The type may be that of a function: "operator void (*)(int)()".
  private copyConversion(at: number): number {
    const { name, close, inside } = this;
    for (let pointer = false; at < name.length; ) {
      if (inside.length > 0 && at === inside[inside.length - 1]!.close) break;
      const c = name[at]!;
      const group = close[at] !== 0;
      if (group && c === "<") {
        at = close[at]! + 1;
      } else if (group && c === "(") {
        const first = name[at - 1] === " ";
        if (!first && !pointer) break;
        pointer = first;
        this.out += name.slice(at, close[at]! + 1);
        at = close[at]! + 1;
      } else {
        pointer = false;
        this.out += c;
        ++at;
      }
    }
    return at;
  }
}
