const UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** A number of bytes in IEC units: `512 B`, `1.5 KiB`, `12 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit] ?? ""}`;
}
