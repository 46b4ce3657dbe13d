/**
 * Schemas for lists and records of a request. Zod creates issues for every wrong element, which takes a long turn of
 * the event loop if a hostile client sends hundreds of thousands. These schemas stop at the first hundred.
 */
import { z } from "zod";

const MAX_ISSUES = 100;

/** A list of strings of 1 to `maxLength` characters. */
export function textList(maxLength: number, { maxItems }: { readonly maxItems?: number } = {}) {
  const text = z.string().min(1).max(maxLength);
  // Only the documentation needs the lengths: when Zod checks the list, each element has been checked already.
  const items = z.array(z.string().meta({ minLength: 1, maxLength }));
  const list = maxItems === undefined ? items : items.min(1).max(maxItems);
  // Asking Zod about each element takes several times as long.
  const isRight = (item: unknown) => typeof item === "string" && item.length > 0 && item.length <= maxLength;
  return z.preprocess((value, { issues }) => {
    if (!Array.isArray(value) || value.length > (maxItems ?? Number.POSITIVE_INFINITY)) return value;
    for (let at = 0; at < value.length && issues.length < MAX_ISSUES; at++) {
      if (isRight(value[at])) continue;
      for (const issue of text.safeParse(value[at]).error?.issues ?? [])
        issues.push({ ...issue, path: [at], input: value[at] });
    }
    return value;
  }, list);
}

/** A record that is refused for having more than `maxProperties` fields before any of them is checked. */
export function boundedRecord<Value extends z.ZodType>(key: z.ZodString, value: Value, maxProperties: number) {
  return z.preprocess((input, { issues }) => {
    if (typeof input !== "object" || input === null || Object.keys(input).length <= maxProperties) return input;
    const message = `Too big: expected at most ${maxProperties} fields`;
    issues.push({ code: "too_big", origin: "record", maximum: maxProperties, inclusive: true, message, input });
    return input;
  }, z.record(key, value).meta({ maxProperties }));
}
