/**
 * One word of a POSIX shell command line that stands for exactly this text. The only place where text becomes shell
 * syntax. CWL v1.2 CommandLineTool.html#ShellCommandRequirement.
 */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
