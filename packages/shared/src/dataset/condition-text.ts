import { CONDITION_OPS, type ConditionOp } from "../records/condition-ops.ts";
import type { DatasetCondition } from "../records/dataset-record.ts";
import { faultOfValues } from "./match-condition.ts";

export type ReadConditions = { readonly conditions: DatasetCondition[] } | { readonly fault: string };

/**
 * Reads conditions such as `suffix=T1w, ses=2, age>60, run!=2, acq missing`. `|` separates alternatives:
 * `suffix=T1w|T2w`. Quotes keep commas and spaces: `group="healthy control"`.
 */
export function readConditions(text: string): ReadConditions {
  const conditions: DatasetCondition[] = [];
  for (const part of splitOutsideQuotes(text, /[,\n]|\s+and\s+/y)) {
    if (part.trim() === "") continue;
    const condition = readCondition(part.trim());
    if (typeof condition === "string") return { fault: condition };
    conditions.push(condition);
  }
  return { conditions };
}

function readCondition(text: string): DatasetCondition | string {
  const [, named, word] = /^(\S+)\s+(exists|missing)$/.exec(text) ?? [];
  if (named !== undefined && (word === "exists" || word === "missing")) return { field: named, op: word };
  const [, field, op, value = ""] = /^([^\s=!<>"]+)\s*(!=|>=|<=|=|>|<)\s*([^]*)$/.exec(text) ?? [];
  if (field === undefined || !isOp(op))
    return `"${text}" is not a condition; write FIELD=VALUE, FIELD!=VALUE, FIELD>NUMBER, FIELD exists or FIELD missing`;
  const values = splitOutsideQuotes(value, /\|/y).map((one) => unquote(one.trim()));
  const condition = { field, op, values: values.length === 1 && values[0] === "" ? [] : values };
  const fault = faultOfValues(condition);
  return fault === undefined ? condition : `"${text}": ${fault}`;
}

function isOp(op: string | undefined): op is ConditionOp {
  return CONDITION_OPS.some((known) => known === op);
}

/** Writes conditions in the syntax that `readConditions` reads. */
export function writeConditions(conditions: readonly DatasetCondition[]): string {
  return conditions
    .map(({ field, op, values = [] }) => {
      if (op === "exists" || op === "missing") return `${field} ${op}`;
      return `${field}${op}${values.map(quoteWhereNeeded).join("|")}`;
    })
    .join(", ");
}

function quoteWhereNeeded(value: string): string {
  return /^[^\s,|"]+$/.test(value) ? value : `"${value.replaceAll('"', "")}"`;
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** `separator` is sticky. */
function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    separator.lastIndex = at;
    const [found] = separator.exec(text) ?? [];
    if (found === undefined) continue;
    parts.push(text.slice(start, at));
    start = at + found.length;
    at = start - 1;
  }
  return [...parts, text.slice(start)];
}
