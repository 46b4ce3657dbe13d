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

/** One reference stands by itself, several as a list; none: the property is left out. */
export function refs(ids: readonly string[]): Reference | readonly Reference[] | undefined {
  const unique = [...new Set(ids)].map(ref);
  return unique.length > 1 ? unique : unique[0];
}

/** The nodes of one crate: each id once, in the order in which they were added. Undefined properties are left out. */
export class CrateGraph {
  readonly #entities = new Map<string, CrateEntity>();

  has(id: string): boolean {
    return this.#entities.has(id);
  }

  /** Answers the id. Adding an id again is a mistake: two things would become one. */
  add(entity: CrateEntity): string {
    const id = entity["@id"];
    if (this.#entities.has(id)) throw new Error(`the crate has two entities ${id}`);
    this.#entities.set(id, entity);
    return id;
  }

  /** Adds what is described once however often it is met, such as a licence or a container. */
  addOnce(entity: CrateEntity): string {
    if (!this.has(entity["@id"])) this.add(entity);
    return entity["@id"];
  }

  /** Ids of the entities that have a type. */
  ofType(type: string): readonly string[] {
    const isOne = (entity: CrateEntity) => [entity["@type"]].flat().includes(type);
    return [...this.#entities.values()].filter(isOne).map((entity) => entity["@id"]);
  }

  toJson(): readonly CrateEntity[] {
    return [...this.#entities.values()];
  }
}

/** A part of an id: what has a meaning in addresses is escaped. */
export function idPart(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/");
}

/** Times as the profiles' validators read them: with an offset in digits. */
export function crateTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}
