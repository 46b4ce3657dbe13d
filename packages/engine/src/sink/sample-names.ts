/** Input id → the names of its elements. */
export type SampleNames = Readonly<Record<string, readonly string[]>>;

/** The only sample of a run; undefined if it has none or several. */
export function onlySample(samples: SampleNames): string | undefined {
  const names = new Set(Object.values(samples).flat());
  const [first] = names;
  return names.size === 1 ? first : undefined;
}
