/** An object type in which properties that may be undefined are optional instead. */
export type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops the properties that are undefined: in the model, an absent value has no property. */
export function omitUndefined<T extends object>(fields: T): Present<T> {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  // Filtering by value is beyond what Object.fromEntries can express in its type.
  return present as Present<T>;
}
