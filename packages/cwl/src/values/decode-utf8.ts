/** Thrown for bytes that are not UTF-8; replacing them with U+FFFD would change the text. */
export class NotUtf8 extends Error {
  /** Both count from 1; `byte` within the line, `column` in UTF-16 code units. */
  readonly line: number;
  readonly byte: number;
  readonly column: number;

  constructor(bytes: Uint8Array, offset: number) {
    let line = 1;
    let start = 0;
    for (let at = 0; at < offset; at++) {
      if (bytes[at] !== LINE_FEED) continue;
      line++;
      start = at + 1;
    }
    const byte = offset - start + 1;
    super(`not UTF-8: byte 0x${(bytes[offset] ?? 0).toString(16)} at line ${line}, byte ${byte}`);
    this.line = line;
    this.byte = byte;
    this.column = new TextDecoder().decode(bytes.subarray(start, offset)).length + 1;
  }
}

export const UTF8_HINT = "save the file as UTF-8, for example with `iconv -f latin1 -t utf-8`";

/** Decodes bytes. With `isCut`, omits an incomplete character at the end. Throws NotUtf8. */
export function decodeUtf8(bytes: Uint8Array, { isCut = false } = {}): string {
  try {
    return decode(bytes);
  } catch (error) {
    // The decoder does not say where the invalid byte is.
    if (!(error instanceof TypeError)) throw error;
  }
  const offset = firstInvalid(bytes);
  if (isCut && bytes.length - offset < 4 && isStart(bytes.subarray(offset))) return decode(bytes.subarray(0, offset));
  throw new NotUtf8(bytes, offset);
}

const LINE_FEED = 0x0a;

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The offset of the first invalid byte sequence (Unicode, table 3-7). */
function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      at++;
      continue;
    }
    const length = lengthOf(first);
    if (length === 0 || at + length > bytes.length) return at;
    for (let index = 1; index < length; index++) if (!continues(first, index, bytes[at + index] ?? 0)) return at;
    at += length;
  }
  return at;
}

function lengthOf(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** The second byte of a character has a smaller range after some first bytes. */
function continues(first: number, index: number, byte: number): boolean {
  if (index > 1) return byte >= 0x80 && byte <= 0xbf;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return byte >= low && byte <= high;
}

function isStart(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  const isLonger = lengthOf(first) > bytes.length;
  return isLonger && bytes.subarray(1).every((byte, index) => continues(first, index + 1, byte));
}
