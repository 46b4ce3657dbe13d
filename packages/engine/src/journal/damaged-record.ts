/** Thrown where a run cannot be driven on because its record in the database is spoilt; ends that run alone. */
export class DamagedRecord extends Error {
  constructor(columns: readonly string[]) {
    super(`the record of this run is damaged (internal-corrupt): ${columns.join(", ")} cannot be read`);
  }
}
