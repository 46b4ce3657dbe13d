import { Refusal } from "@weft/shared/records/refusal.ts";

const LONGEST_TARGET = 8192;

/**
 * Refuses request targets that Koa or a router would stumble over or read in two ways: absolute and asterisk form,
 * raw controls, `%00`, broken escapes, and segments that climb once decoded. Undefined: fit to be routed.
 */
export function checkRequestTarget(target: string): Refusal | undefined {
  const fault = targetFault(target);
  return fault === undefined ? undefined : new Refusal("bad-request-target", `The request target ${fault}`);
}

function targetFault(target: string): string | undefined {
  if (target.length > LONGEST_TARGET) return `is longer than ${LONGEST_TARGET} bytes`;
  if (!target.startsWith("/")) return "must begin with a slash";
  if (target.startsWith("//")) return "must not begin with two slashes";
  if (!/^[\x21-\x7e]*$/.test(target) || /[\\#]/.test(target)) return "contains characters that must be percent-encoded";
  if (/%(?![0-9a-f]{2})/i.test(target)) return "contains a percent sign that starts no escape";
  if (/%00/.test(target)) return "contains a null character";
  if (pathSegments(target).some(isDotSegment)) return "contains a `.` or `..` segment";
  return undefined;
}

function pathSegments(target: string): string[] {
  const [path = ""] = target.split("?", 1);
  return path.replace(/%2f/gi, "/").split("/");
}

function isDotSegment(segment: string): boolean {
  const plain = segment.replace(/%2e/gi, ".");
  return plain === "." || plain === "..";
}
