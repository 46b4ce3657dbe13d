/** A measured number for people: all digits before the point, and at most `digits` significant ones. */
export function measureText(value: number, digits = 5): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  const whole = Math.max(0, Math.ceil(Math.log10(Math.abs(value))));
  const rounded = Number(value.toPrecision(Math.max(digits, whole)));
  return Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e12 ? String(rounded) : rounded.toExponential();
}

/**
 * A cell of a table file. Decimals of a column of numbers are written as everywhere else; a text with many decimals is a
 * number, too. Any other text stays as it is: `007` and `1.10` may be names.
 */
export function cellText(cell: string, isNumber: boolean): string {
  const [, decimals = ""] = /^-?(?:0|[1-9]\d*)\.(\d+)$/.exec(cell) ?? [];
  return decimals.length >= 4 || (isNumber && decimals !== "") ? measureText(Number(cell)) : cell;
}
