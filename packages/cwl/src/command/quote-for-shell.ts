/**
 * Quotes a text as one word for a POSIX shell. Every command line and script that Weft runs uses this function.
 * CWL v1.2 CommandLineTool.html#ShellCommandRequirement. `shellWord` in `packages/shared` does the same for command lines
 * that are only shown, because neither package may import the other; a test compares the two.
 */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
