/** A line of a checksum file as `sha1sum -c` reads it: `checksum` is `sha1$…`, odd signs in names are written with a backslash. */
export function checksumLine(checksum: string, name: string): string {
  const digits = checksum.replace(/^sha1\$/, "");
  if (!/[\\\n\r]/.test(name)) return `${digits}  ${name}\n`;
  const escaped = name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `\\${digits}  ${escaped}\n`;
}
