/** A name that is not taken: the wanted one, or one with a number. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const base = /^[A-Za-z_]/.test(wanted) ? wanted : `_${wanted}`;
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}_${number}`)) return `${base}_${number}`;
}
