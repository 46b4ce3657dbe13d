type Rows<Row> = readonly Row[] | null | undefined;

/** One field of each row. */
export function column<Row, Key extends keyof Row>(rows: Rows<Row>, key: Key): readonly Row[Key][] {
  return (rows ?? []).map((row) => row[key]);
}

/** Some fields of each row, in the given order. */
export function columns<Row>(rows: Rows<Row>, ...keys: readonly (keyof Row)[]): readonly (readonly unknown[])[] {
  return (rows ?? []).map((row) => keys.map((key) => row[key]));
}
