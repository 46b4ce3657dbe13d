/** Id of a source line on its page, for links to it. */
export function sourceLineId(file: string, line: number): string {
  return `${file}:${line}`;
}
