/**
 * One word of a POSIX shell command line that stands for exactly this text. Every command line and script that
 * runs is quoted here. CWL v1.2 CommandLineTool.html#ShellCommandRequirement.
 */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
