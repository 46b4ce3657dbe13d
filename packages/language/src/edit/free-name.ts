/** Returns the preferred name if it is free, otherwise the name with the lowest free number from 2: `align_2`. */
export function freeName(preferred: string, taken: ReadonlySet<string>): string {
  const base = /^[A-Za-z_]/.test(preferred) ? preferred : `_${preferred}`;
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}_${number}`)) return `${base}_${number}`;
}
