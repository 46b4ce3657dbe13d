/** Id of a line of a source on its page, for links to it. */
export function sourceLineId(file: string, line: number): string {
  return `${file}:${line}`;
}
