import { parseJson } from "@weft/shared/json/exact-json.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

/** A node of the metadata of a crate that another program wrote. */
export interface ForeignEntity {
  readonly id: string;
  readonly types: ReadonlySet<string>;
  readonly properties: Readonly<Record<string, unknown>>;
}

const MAX_ENTITIES = 200_000;
const MAX_TEXT_LENGTH = 1000;

/**
 * The metadata of a crate, read as untrusted input: anything that is not an entity is ignored, references may lead
 * nowhere or in circles, and texts are cut. Refuses `invalid-crate` without a graph.
 */
export class ForeignGraph {
  readonly #entities = new Map<string, ForeignEntity>();

  constructor(metadata: string) {
    const graph = record(parseJson(metadata))?.["@graph"];
    if (!Array.isArray(graph)) throw unreadable("its metadata has no @graph");
    if (graph.length > MAX_ENTITIES) throw unreadable(`its metadata has more than ${MAX_ENTITIES} entities`);
    for (const item of graph) {
      const properties = record(item);
      const id = properties?.["@id"];
      if (properties === undefined || typeof id !== "string") continue;
      const types = new Set(list(properties["@type"]).filter((type) => typeof type === "string"));
      if (!this.#entities.has(id)) this.#entities.set(id, { id, types, properties });
    }
  }

  all(): Iterable<ForeignEntity> {
    return this.#entities.values();
  }

  entity(id: string | undefined): ForeignEntity | undefined {
    return id === undefined ? undefined : this.#entities.get(id);
  }

  ofType(...types: readonly string[]): readonly ForeignEntity[] {
    return [...this.#entities.values()].filter((entity) => types.some((type) => entity.types.has(type)));
  }
}

/** Ids that a property refers to, each once. */
export function referencesOf(entity: ForeignEntity | undefined, property: string): readonly string[] {
  const ids = list(entity?.properties[property]).map((value) => record(value)?.["@id"]);
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}

/** The plain values of a property, with long strings shortened. */
export function plainValuesOf(entity: ForeignEntity, property: string): readonly (string | number | boolean)[] {
  return list(entity.properties[property])
    .map((value) => record(value)?.["@value"] ?? value)
    .filter((value) => typeof value === "string" || typeof value === "boolean" || isFiniteNumber(value));
}

/** The first string of a property; undefined if it is empty or missing. */
export function textOf(entity: ForeignEntity | undefined, property: string): string | undefined {
  const [first] = entity === undefined ? [] : plainValuesOf(entity, property);
  const text = first === undefined ? "" : String(first).toWellFormed().trim().slice(0, MAX_TEXT_LENGTH);
  return text === "" ? undefined : text;
}

/** The time of a property in milliseconds since 1970. */
export function timeOf(entity: ForeignEntity | undefined, property: string): number | undefined {
  const time = Date.parse(textOf(entity, property) ?? "");
  return Number.isFinite(time) && time >= 0 && time < LATEST_MS ? time : undefined;
}

const LATEST_MS = Date.UTC(2200, 0);

/** The part of an id after the last `#` or `/`. */
export function lastPart(id: string): string {
  const parts = id.replace(/[#/]+$/, "").split(/[#/]/);
  return parts.at(-1) ?? id;
}

export function unreadable(why: string): Refusal {
  return new Refusal("invalid-crate", `The crate cannot be imported: ${why}.`);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // Any object except a list has fields.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function list(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : [value].flat();
}
