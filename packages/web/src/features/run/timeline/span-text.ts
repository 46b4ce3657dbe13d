/** A time span of a run, in milliseconds since its first job was queued. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** `?t=1200-5400`; undefined for anything else, and for a span without a length. */
export function parseSpan(text: string): Span | undefined {
  const [, from, to] = /^(\d{1,12})-(\d{1,12})$/.exec(text) ?? [];
  const span = { fromMs: Number(from), toMs: Number(to) };
  return span.toMs > span.fromMs ? span : undefined;
}

/** The text in the URL; "" for the whole. */
export function spanText(span: Span | undefined): string {
  return span === undefined ? "" : `${Math.max(0, Math.round(span.fromMs))}-${Math.round(span.toMs)}`;
}
