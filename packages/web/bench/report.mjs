// What was measured beside what is wanted. Sizes and violations are asserted: they are the same on every machine. Times
// depend on the machine and on what else it does, so that they are only printed.
let failed = 0;

export function heading(text) {
  console.log(`\n${text}`);
}

/** One number. With `bar` it should not be greater, with `least` not smaller; `asserted`: else the whole fails. */
export function row(label, value, { unit = "", bar, least, asserted = false } = {}) {
  const isMissed = (bar !== undefined && value > bar) || (least !== undefined && value < least);
  const wanted = bar !== undefined ? `≤ ${bar}` : least !== undefined ? `≥ ${least}` : "";
  const mark = wanted === "" ? " " : isMissed ? "✗" : "✓";
  if (isMissed && asserted) failed += 1;
  const number = Number.isInteger(value) ? String(value) : value.toFixed(1);
  console.log(`  ${mark} ${number.padStart(9)} ${unit.padEnd(4)} ${wanted.padEnd(8)} ${label}`);
}

/** The exit code: 1 where something that is asserted was missed. */
export function exitCode() {
  return failed === 0 ? 0 : 1;
}
