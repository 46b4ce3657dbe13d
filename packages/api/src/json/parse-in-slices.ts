import { giveWay } from "@weft/engine/async/give-way.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { findUnsafeValue } from "./find-unsafe-value.ts";

/** Thrown for a text that is not JSON or is nested too deeply. */
export class SliceFault extends Error {
  readonly kind: "malformed" | "too-deep";
  /** Offset of the first byte of the part that contains the fault. */
  readonly offset: number;

  constructor(kind: SliceFault["kind"], offset: number) {
    super(`${kind} at or after byte ${offset}`);
    this.kind = kind;
    this.offset = offset;
  }
}

/** Bytes to parse in one turn of the loop: a few milliseconds of work. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Parses a large JSON text chunk by chunk and yields in between, because parsing tens of megabytes at once would delay
 * all other requests. It splits lists and objects between their members, parses each chunk, and joins the
 * results. `isUnsafe`: the value contains something that findUnsafeValue reports. Rejects with SliceFault.
 */
export async function parseInSlices(
  bytes: Buffer,
  depthLimit: number,
): Promise<{ readonly value: unknown; readonly isUnsafe: boolean }> {
  const parser = new SliceParser(bytes, depthLimit);
  const value = await parser.parse(trim(bytes, { start: 0, end: bytes.length }), 0);
  return { value, isUnsafe: parser.isUnsafe };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [9, 10, 13, 32, 34, 44, 58, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

class SliceParser {
  readonly #bytes: Buffer;
  readonly #depthLimit: number;
  isUnsafe = false;

  constructor(bytes: Buffer, depthLimit: number) {
    this.#bytes = bytes;
    this.#depthLimit = depthLimit;
  }

  /** `depth`: number of lists and objects around the value. */
  async parse(range: Range, depth: number): Promise<unknown> {
    const first = this.#bytes[range.start];
    const isContainer = first === OPEN_LIST || first === OPEN_OBJECT;
    if (!isContainer || range.end - range.start <= CHUNK_BYTES) return this.#parseChunk(range, depth);
    if (depth >= this.#depthLimit) throw new SliceFault("too-deep", range.start);
    if (this.#bytes[range.end - 1] !== (first === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT))
      throw new SliceFault("malformed", range.end - 1);
    return first === OPEN_LIST ? this.#parseList(range, depth) : this.#parseObject(range, depth);
  }

  async #parseList(range: Range, depth: number): Promise<unknown[]> {
    const list: unknown[] = [];
    for await (const members of this.#chunks(range, depth)) {
      if (members.isWhole) list.push(await this.parse(members, depth + 1));
      // Spreading the items into one call could exceed the maximum number of arguments.
      else for (const item of this.#parseGroup(members, ["[", "]"], depth) as unknown[]) list.push(item); // the text is that of a list
    }
    return list;
  }

  async #parseObject(range: Range, depth: number): Promise<object> {
    const object = {};
    for await (const members of this.#chunks(range, depth)) {
      if (members.isWhole) await this.#addMember(object, members, depth);
      else
        for (const [key, value] of Object.entries(this.#parseGroup(members, ["{", "}"], depth) as object))
          addField(object, key, value); // the text is that of an object
    }
    return object;
  }

  /** Adds one member with a large value. */
  async #addMember(object: object, member: Range, depth: number): Promise<void> {
    const keyEnd = this.#endOfString(member);
    const key = this.#parseChunk({ start: member.start, end: keyEnd }, depth);
    const after = trim(this.#bytes, { start: keyEnd, end: member.end });
    if (typeof key !== "string" || this.#bytes[after.start] !== COLON) throw new SliceFault("malformed", member.start);
    this.isUnsafe ||= key === "__proto__";
    const value = trim(this.#bytes, { start: after.start + 1, end: after.end });
    addField(object, key, await this.parse(value, depth + 1));
  }

  #endOfString({ start, end }: Range): number {
    for (let at = start + 1; at < end; at++) {
      if (this.#bytes[at] === BACKSLASH) at++;
      else if (this.#bytes[at] === QUOTE) return at + 1;
    }
    throw new SliceFault("malformed", start);
  }

  /** The members of a list or object, in groups to parse at once; a large member forms its own group and `isWhole`. */
  async *#chunks({ start, end }: Range, depth: number): AsyncGenerator<Range & { readonly isWhole: boolean }> {
    const inside = trim(this.#bytes, { start: start + 1, end: end - 1 });
    if (inside.start === inside.end) return;
    let groupStart = start + 1;
    let memberStart = groupStart;
    for (const memberEnd of this.#memberEnds({ start, end }, depth)) {
      if (memberEnd === undefined) {
        await giveWay();
        continue;
      }
      const isLast = memberEnd === end - 1;
      if (memberEnd - memberStart > CHUNK_BYTES) {
        // The group ends at the comma before the large member.
        if (groupStart < memberStart) yield { start: groupStart, end: memberStart - 1, isWhole: false };
        yield { ...trim(this.#bytes, { start: memberStart, end: memberEnd }), isWhole: true };
        groupStart = memberEnd + 1;
      } else if (isLast || memberEnd - groupStart > CHUNK_BYTES) {
        yield { start: groupStart, end: memberEnd, isWhole: false };
        groupStart = memberEnd + 1;
      }
      memberStart = memberEnd + 1;
    }
  }

  /** The offsets at which members of a list or object end: at a comma or the closing bracket. Undefined: time to yield. */
  *#memberEnds({ start, end }: Range, around: number): Generator<number | undefined> {
    const bytes = this.#bytes;
    let depth = 0;
    let sliceEnd = start + CHUNK_BYTES;
    let isText = false;
    for (let at = start + 1; at < end - 1; at++) {
      if (at >= sliceEnd) {
        sliceEnd = at + CHUNK_BYTES;
        yield undefined;
      }
      const byte = bytes[at];
      if (isText) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (++depth + around >= this.#depthLimit) throw new SliceFault("too-deep", at);
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (--depth < 0) throw new SliceFault("malformed", at);
      } else if (byte === COMMA && depth === 0) yield at;
    }
    if (isText || depth !== 0) throw new SliceFault("malformed", start);
    yield end - 1;
  }

  /** Parses a group of members as a separate list or object. */
  #parseGroup(range: Range, [open, close]: readonly [string, string], depth: number): unknown {
    const { start, end } = trim(this.#bytes, range);
    // There is no value between two commas.
    if (start === end) throw new SliceFault("malformed", range.start);
    return this.#parseText(open + this.#bytes.toString("utf8", start, end) + close, { start, depth });
  }

  #parseChunk({ start, end }: Range, depth: number): unknown {
    return this.#parseText(this.#bytes.toString("utf8", start, end), { start, depth });
  }

  #parseText(text: string, { start, depth }: { readonly start: number; readonly depth: number }): unknown {
    let value: unknown;
    try {
      value = parseExactJson(text);
    } catch {
      throw new SliceFault("malformed", start);
    }
    this.isUnsafe ||= findUnsafeValue(value, this.#depthLimit - depth) !== undefined;
    return value;
  }
}

/** Like JSON.parse, turns even `__proto__` into a field of the object itself. */
function addField(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function trim(bytes: Buffer, { start, end }: Range): Range {
  let [first, last] = [start, end];
  while (first < last && isBlank(bytes[first])) first++;
  while (last > first && isBlank(bytes[last - 1])) last--;
  return { start: first, end: last };
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB;
}
