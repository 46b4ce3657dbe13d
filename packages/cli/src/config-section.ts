import { UsageError } from "./usage-error.ts";

/** An object within weft.config.json, read key by key; what is wrong is told with its place. */
export class ConfigSection {
  readonly #place: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #known = new Set<string>();

  /** `value`: undefined for one that is not there. */
  constructor(place: string, value: unknown) {
    this.#place = place;
    if (value !== undefined && (typeof value !== "object" || value === null || Array.isArray(value)))
      throw new UsageError(`weft.config.json: ${place} must be an object`);
    this.#values = (value ?? {}) as Readonly<Record<string, unknown>>; // just checked
  }

  has(key: string): boolean {
    return this.#take(key) !== undefined;
  }

  /** What stands there, for a section whose keys are chosen by whoever wrote it. */
  keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  text(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw this.wrong(key, "must be a text that is not empty");
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw this.wrong(key, "must be a list of texts");
  }

  number(key: string, least: number): number | undefined {
    const value = this.#take(key);
    if (value === undefined || (typeof value === "number" && value >= least)) return value;
    throw this.wrong(key, `must be a number from ${least} on`);
  }

  whole(key: string, least: number): number | undefined {
    const value = this.number(key, least);
    if (value === undefined || Number.isInteger(value)) return value;
    throw this.wrong(key, `must be a whole number from ${least} on`);
  }

  section(key: string): ConfigSection {
    return new ConfigSection(`${this.#place}.${key}`, this.#take(key));
  }

  sections(key: string): readonly ConfigSection[] {
    const value = this.#take(key) ?? [];
    if (!Array.isArray(value)) throw this.wrong(key, "must be a list of objects");
    return value.map((item: unknown, n) => new ConfigSection(`${this.#place}.${key}[${n}]`, item ?? null));
  }

  /** A key that nobody asked for is a mistake of whoever wrote it. */
  refuseOthers(): void {
    const unknown = Object.keys(this.#values).find((key) => !this.#known.has(key));
    if (unknown !== undefined)
      throw this.wrong(unknown, `is not known; there are ${[...this.#known].sort().join(", ")}`);
  }

  wrong(key: string, what: string): UsageError {
    return new UsageError(`weft.config.json: ${this.#place}.${key} ${what}`);
  }

  #take(key: string): unknown {
    this.#known.add(key);
    return this.#values[key];
  }
}
