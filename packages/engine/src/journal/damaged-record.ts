/** Thrown if a run cannot continue because its record in the database is damaged; ends only that run. */
export class DamagedRecord extends Error {
  constructor(columns: readonly string[]) {
    super(`the record of this run is damaged (internal-corrupt): ${columns.join(", ")} cannot be read`);
  }
}
