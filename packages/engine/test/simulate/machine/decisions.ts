/**
 * Every choice of a simulated world. A choice depends only on the seed, its kind, and how many choices of that kind came
 * before it, so that leaving one fault out changes no other choice. That makes histories repeatable and small ones easy
 * to find.
 */
export class Decisions {
  readonly #seed: number;
  readonly #counts = new Map<string, number>();
  readonly #suppressed: ReadonlySet<string>;
  /** The faults that happened, as `kind#number`. */
  readonly faults: string[] = [];

  constructor(seed: number, suppressed: ReadonlySet<string> = new Set()) {
    this.#seed = seed;
    this.#suppressed = suppressed;
  }

  /** A number of at least 0 and less than 1. */
  fraction(kind: string): number {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    return mix(this.#seed, kind, count) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  between(kind: string, least: number, most: number): number {
    return least + Math.floor(this.fraction(kind) * (most - least + 1));
  }

  pick<Value>(kind: string, values: readonly [Value, ...Value[]]): Value {
    return values[Math.floor(this.fraction(kind) * values.length)] ?? values[0];
  }

  /** Mostly short, sometimes long: as delays are. */
  delayMs(kind: string, usualMs: number, longestMs: number): number {
    const fraction = this.fraction(kind);
    const ms = fraction < 0.9 ? (fraction / 0.9) * usualMs : usualMs + ((fraction - 0.9) / 0.1) * (longestMs - usualMs);
    return Math.round(ms * 1000) / 1000;
  }

  /** Whether a fault happens. One with a name in `suppressed` never does. */
  happens(kind: string, probability: number): boolean {
    const number = this.#counts.get(kind) ?? 0;
    if (this.fraction(kind) >= probability) return false;
    const fault = `${kind}#${number}`;
    if (this.#suppressed.has(fault)) return false;
    this.faults.push(fault);
    return true;
  }
}

/** A hash of 32 bits (the finalizer of MurmurHash3 over the words). */
function mix(seed: number, kind: string, count: number): number {
  let hash = seed | 0;
  hash = finish(hash ^ hashOf(kind));
  hash = finish((hash + Math.imul(count + 1, 0x9e3779b1)) | 0);
  return finish(hash ^ Math.floor(seed / 2 ** 32)) >>> 0;
}

function finish(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const hashes = new Map<string, number>();

/** FNV-1a. */
function hashOf(text: string): number {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hashes.set(text, hash);
  return hash;
}
