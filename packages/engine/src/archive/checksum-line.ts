/**
 * A line of a checksum file in the format of `sha1sum -c`. `checksum` is `sha1$…`; unusual characters in names are
 * escaped with a backslash.
 */
export function checksumLine(checksum: string, name: string): string {
  const digits = checksum.replace(/^sha1\$/, "");
  if (!/[\\\n\r]/.test(name)) return `${digits}  ${name}\n`;
  const escaped = name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `\\${digits}  ${escaped}\n`;
}
