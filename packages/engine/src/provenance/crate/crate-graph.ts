/** A JSON-LD node of a crate. */
export interface CrateEntity {
  readonly "@id": string;
  readonly "@type": string | readonly string[];
  readonly [property: string]: unknown;
}

export interface Reference {
  readonly "@id": string;
}

export function ref(id: string): Reference {
  return { "@id": id };
}

/** References as a list, which some programs require; undefined without ids, so that the property is omitted. */
export function refs(ids: readonly string[]): readonly Reference[] | undefined {
  return ids.length === 0 ? undefined : [...new Set(ids)].map(ref);
}

/** The nodes of one crate: each id once, in insertion order. Leaves out undefined properties. */
export class CrateGraph {
  readonly #entities = new Map<string, CrateEntity>();

  has(id: string): boolean {
    return this.#entities.has(id);
  }

  /** Returns the id. Adding an id twice is an error, because two things would become one. */
  add(entity: CrateEntity): string {
    const id = entity["@id"];
    if (this.#entities.has(id)) throw new Error(`the crate has two entities ${id}`);
    this.#entities.set(id, entity);
    return id;
  }

  /** Adds an entity only once, such as a license or a container. */
  addOnce(entity: CrateEntity): string {
    if (!this.has(entity["@id"])) this.add(entity);
    return entity["@id"];
  }

  /** Ids of the entities with a type. */
  ofType(type: string): readonly string[] {
    const isOne = (entity: CrateEntity) => [entity["@type"]].flat().includes(type);
    return [...this.#entities.values()].filter(isOne).map((entity) => entity["@id"]);
  }

  /** Ids of the parameters that have an entity of a type as their value. */
  exemplifiedBy(type: string): ReadonlySet<string> {
    const examples = this.ofType(type).map((id) => this.#entities.get(id)?.["exampleOfWork"]);
    // `refs` wrote them.
    return new Set(examples.flatMap((works) => ((works ?? []) as readonly Reference[]).map((work) => work["@id"])));
  }

  toJson(): readonly CrateEntity[] {
    return [...this.#entities.values()];
  }
}

/** A part of an id; escapes characters with a meaning in URLs. */
export function idPart(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/");
}

/** Times in the format that the profiles' validators accept: with a numeric offset. */
export function crateTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}
