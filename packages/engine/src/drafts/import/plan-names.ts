import type { GroupNote } from "@weft/shared/records/draft-group-record.ts";
import type { ProcessKind } from "@weft/shared/records/draft-record.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { newestOf } from "../../catalog/catalog.ts";
import { isRunnable, type CatalogEntry } from "../../catalog/catalog-entry.ts";
import { compareContents, nextVersion } from "../propose-version.ts";
import { canonicalText } from "../../values/canonical-text.ts";
import type { FoundProcess } from "./find-processes.ts";

/** Action if the catalog already has the ID of an imported process. */
export type Collisions = "new-version" | "new-id";

/** The planned place of an imported document. */
export interface Planned {
  readonly source: FoundProcess;
  readonly id: string;
  readonly version: string;
  /** The version that it follows. */
  readonly base: KnownVersion | undefined;
  /** True if the catalog already has the same document, so no draft is needed. */
  readonly isKnown: boolean;
}

/** The catalog's entry for an ID. */
export type KnownVersion = Pick<CatalogEntry, "place" | "uri" | "process" | "packed" | "issues">;

export interface Naming {
  /** All versions that the catalog has under an ID, newest first. */
  readonly knownVersions: (kind: ProcessKind, id: string) => Promise<readonly KnownVersion[]>;
  readonly collisions: Collisions;
  /** True if files next to the document belong to it, so that equal documents may still differ. */
  readonly hasFiles: (source: FoundProcess) => boolean;
  readonly version: string | undefined;
}

/** Gives everything imported an ID and a version that are free, and reports what was changed. */
export async function planNames(
  found: readonly FoundProcess[],
  naming: Naming,
): Promise<{ readonly planned: readonly Planned[]; readonly notes: readonly GroupNote[] }> {
  const taken = new Set<string>();
  const notes: GroupNote[] = [];
  const planned: Planned[] = [];
  for (const source of found) {
    const plan = await planOne(source, taken, naming);
    taken.add(`${source.kind} ${plan.id}`);
    notes.push(noteOf(plan));
    planned.push(plan);
  }
  return { planned, notes };
}

async function planOne(source: FoundProcess, taken: ReadonlySet<string>, naming: Naming): Promise<Planned> {
  const { kind, wantedId } = source;
  const { knownVersions, collisions, hasFiles, version: preferred = "1.0.0" } = naming;
  const isTaken = (id: string) => taken.has(`${kind} ${id}`);
  const versions = isTaken(wantedId) ? [] : await knownVersions(kind, wantedId);
  const same = versions.find((version) => isSame(version, source));
  if (same?.place.version != null && !hasFiles(source))
    return { source, id: wantedId, version: same.place.version, base: same, isKnown: true };
  if (versions.length > 0 && collisions === "new-version")
    return { source, id: wantedId, ...following(source, versions), isKnown: false };
  const isFree = async (id: string) => !isTaken(id) && (await knownVersions(kind, id)).length === 0;
  return { source, id: await freeId(wantedId, isFree), version: preferred, base: undefined, isKnown: false };
}

function isSame({ packed, place }: KnownVersion, source: FoundProcess): boolean {
  return place.version !== null && packed !== undefined && plainPacked(packed) === plainPacked(source.packed());
}

function following(source: FoundProcess, versions: readonly KnownVersion[]): Pick<Planned, "base" | "version"> {
  const versioned = versions.filter(({ place }) => place.version !== null);
  const base = newestOf(versioned);
  const known = versioned.flatMap(({ place }) => place.version ?? []);
  const next = { process: source.process, packed: source.packed() };
  const [change] = base !== undefined && isRunnable(base) ? compareContents(base, next) : [];
  return { base, version: nextVersion(base?.place.version ?? null, change?.level ?? "major", known) };
}

async function freeId(preferred: string, isFree: (id: string) => Promise<boolean>): Promise<string> {
  if (await isFree(preferred)) return preferred;
  for (let number = 2; ; number++) {
    const id = `${preferred.slice(0, 120)}-${number}`;
    if (await isFree(id)) return id;
  }
}

function noteOf({ source, id, version, base, isKnown }: Planned): GroupNote {
  const { kind, path, member, wantedId } = source;
  const subject = member === undefined ? path : `${path}#${member}`;
  if (isKnown)
    return { level: "info", subject, text: `is the same as the ${kind} ${id} ${version}, which is used instead` };
  const renamed = id === wantedId ? "" : `, because the name ${wantedId} is taken`;
  const follows = base === undefined ? "" : `, a new version after ${base.place.version ?? ""}`;
  return {
    level: renamed === "" ? "info" : "warning",
    subject,
    text: `becomes the ${kind} ${id} ${version}${follows}${renamed}`,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A packed document with numbers instead of the names of its processes, so that equal content has the same text. */
function plainPacked(packed: string): string {
  const document = fieldsOf(parseExactJson(packed)); // `packDocument` has made it
  const graph = Array.isArray(document["$graph"]) ? document["$graph"].map(fieldsOf) : undefined;
  if (graph === undefined) return canonicalText({ ...document, id: undefined });
  const names = new Map(graph.map(({ id }, index) => [`#${String(id)}`, `#${index}`]));
  const members = graph.map((member) => withNumbers({ ...member, id: undefined }, names));
  return canonicalText({ ...document, $graph: members });
}

/** Only steps refer to other processes. */
function withNumbers(process: Fields, names: ReadonlyMap<string, string>): Fields {
  const { steps } = process;
  if (!Array.isArray(steps)) return process;
  const numbered = steps.map(fieldsOf).map((step) => {
    const { run } = step;
    return { ...step, run: typeof run === "string" ? (names.get(run) ?? run) : withNumbers(fieldsOf(run), names) };
  });
  return { ...process, steps: numbered };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
