/** Line range in a link, counted from 1, inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** `#L10` and `#L10-L20`; undefined for anything else. */
export function parseLineHash(hash: string): LineRange | undefined {
  const match = /^#L(\d{1,12})(?:-L?(\d{1,12}))?$/.exec(hash);
  const first = Number(match?.[1] ?? 0);
  if (first === 0) return undefined;
  const last = Number(match?.[2] ?? first);
  return { first: Math.min(first, Math.max(1, last)), last: Math.max(first, last) };
}

export function lineHash({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`;
}
