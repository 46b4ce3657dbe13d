/**
 * Quotes a text as one word for a POSIX shell. Every command line and script that Weft runs uses this function.
 * CWL v1.2 CommandLineTool.html#ShellCommandRequirement. `shellWord` in `packages/shared` quotes command lines that are
 * only shown. Neither package may import the other, so a test compares the two functions.
 */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
