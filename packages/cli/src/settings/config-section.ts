import { z } from "zod";
import { UsageError } from "../exit/exit.ts";

/** The value of a key of weft.config.json, checked; throws a UsageError that locates the first mistake. */
export function parseSection<Schema extends z.ZodType>(key: string, value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value === undefined ? {} : value);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: "is wrong" }] = parsed.error.issues;
  throw wrongSection([key, ...path], message);
}

/** The error for the value at a path in weft.config.json. */
export function wrongSection(path: readonly PropertyKey[], message: string): UsageError {
  return new UsageError(`weft.config.json: ${z.core.toDotPath(path)}: ${message}`);
}

/** An object with only these keys. */
export function section<Shape extends z.core.$ZodShape>(shape: Shape) {
  const known = Object.keys(shape).sort().join(", ");
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys" ? `there is no key "${keys?.join('", "')}", only ${known}` : undefined,
  });
}

/** A string that is not empty. */
export const text = z.string().min(1);
/** A whole number of at least 1. */
export const count = z.int().min(1);

/** A number of seconds, converted to milliseconds. */
export function seconds(least: number) {
  return z
    .number()
    .min(least)
    .transform((value) => value * 1000);
}
