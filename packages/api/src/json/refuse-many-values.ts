import { giveWay } from "@weft/engine/async/give-way.ts";
import type { JsonLimits } from "../http/http-limits.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

/** A smaller body cannot contain enough values to matter. */
const SMALL_BYTES = 64 * 1024;
/** Structural bytes between two checks of the clock. */
const CLOCK_EVERY = 4096;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values of a JSON text by its commas and brackets before parsing it: ten million empty lists take 30 MB as text
 * and half a gigabyte as values. Counts the fields of each object by its colons, because listing those of an object with
 * 200,000 fields takes longer than a turn of the loop may. Yields in between. Refuses with `body-too-large`.
 */
export async function refuseManyValues(bytes: Buffer, { maxValues, maxFields }: JsonLimits): Promise<void> {
  if (bytes.length < SMALL_BYTES) return;
  let values = 1;
  const open = [0];
  for (let at = 0, tokens = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = lastOfString(bytes, at);
    else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) values += 1;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) open.push(0);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open.pop();
    else if (byte === COLON) countField(open, maxFields);
    if (values > maxValues)
      throw new Refusal(
        "body-too-large",
        `The body has more than ${maxValues} values; send fewer, or raise the limit with --limit request-values=N`,
      );
    tokens += 1;
    if (tokens % CLOCK_EVERY === 0) await giveWay();
  }
}

/** Counts a field of the innermost object. `open` has the number of fields of each list and object around it. */
function countField(open: number[], maxFields: number): void {
  const fields = (open.pop() ?? 0) + 1;
  open.push(fields);
  if (fields > maxFields)
    throw new Refusal("body-too-large", `An object in the body has more than ${maxFields} fields; send fewer`);
}

/** Position of the quotation mark that ends the string that begins at `start`. */
function lastOfString(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = bytes.indexOf(QUOTE, end + 1);
  }
  return bytes.length;
}
