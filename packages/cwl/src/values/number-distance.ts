/** The absolute difference of two numbers; the difference of two bigints is calculated exactly. */
export function numberDistance(a: number | bigint, b: number | bigint): number {
  if (typeof a === "bigint" && typeof b === "bigint") return Math.abs(Number(a - b));
  return Math.abs(Number(a) - Number(b));
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
