import type { DatasetCondition } from "../records/dataset-record.ts";
import { suffixFault } from "./read-bids-name.ts";

/** Why a value does not meet a condition; undefined if it does. The message calls the field `name`. */
export function unmetReason(
  condition: Pick<DatasetCondition, "op" | "values">,
  name: string,
  value: string | undefined,
): string | undefined {
  const { op, values = [] } = condition;
  if (op === "missing") return value === undefined ? undefined : `${name} is ${value}, not missing`;
  if (op === "!=")
    return value !== undefined && values.some((other) => isEqual(value, other)) ? `${name} is ${value}` : undefined;
  if (value === undefined) return `${name} is missing`;
  if (op === "exists") return undefined;
  if (op === "=") return values.some((other) => isEqual(value, other)) ? undefined : notEqual(name, value, values);
  if (!isNumber(value)) return `${name} is "${value}", not a number`;
  return ORDERS[op](Number(value), Number(values[0])) ? undefined : `${name} is ${value}, not ${op} ${values[0]}`;
}

function notEqual(name: string, value: string, values: readonly string[]): string {
  const hint = name === "suffix" ? suffixFault(value) : undefined;
  return `${name} is ${value}, not ${values.join(" or ")}${hint === undefined ? "" : ` (${hint})`}`;
}

/** Numbers are equal by value: `2` and `02`. */
function isEqual(a: string, b: string): boolean {
  return a === b || (isNumber(a) && isNumber(b) && Number(a) === Number(b));
}

export function isNumber(text: string): boolean {
  return text.length < 40 && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text.trim());
}

const ORDERS = {
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
} as const;

/** The problem with the values of a condition, as a sentence; undefined if there is none. */
export function faultOfValues({ op, values = [] }: Pick<DatasetCondition, "op" | "values">): string | undefined {
  if (op === "exists" || op === "missing") return values.length === 0 ? undefined : `"${op}" takes no value`;
  if (values.length === 0) return `"${op}" needs a value`;
  if (op === "=" || op === "!=") return undefined;
  return values.length === 1 && isNumber(values[0] ?? "") ? undefined : `"${op}" needs one number`;
}
