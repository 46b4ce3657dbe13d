import { posix } from "node:path";
import type { Process } from "@weft/cwl/model/process.ts";
import type { GroupNote } from "@weft/shared/records/draft-group-record.ts";
import { MAX_DRAFT_CHARACTERS } from "@weft/shared/records/draft-record.ts";
import { giveWay } from "../../async/give-way.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { pathProblem } from "../draft-file-path.ts";
import { findProcesses } from "./find-processes.ts";
import type { FoundProcess } from "./find-processes.ts";
import { gatherFiles, gatherInputs } from "./gather-files.ts";
import type { Gathered, GatherOptions } from "./gather-files.ts";
import { uriOfFile } from "./imported-files.ts";
import type { ImportedFiles } from "./imported-files.ts";
import { planNames } from "./plan-names.ts";
import type { Collisions, Planned } from "./plan-names.ts";
import { splitMember } from "./split-member.ts";

export interface ImportRequest {
  readonly files: ImportedFiles;
  readonly collisions: Collisions;
  /** The version of what has no other; absent: 1.0.0. */
  readonly version?: string | undefined;
}

/** A draft to create. */
export interface ImportedDraft extends Planned {
  readonly text: string;
  /** Files next to the document. */
  readonly files: ReadonlyMap<string, Buffer>;
}

export interface ImportPlan {
  readonly drafts: readonly ImportedDraft[];
  readonly notes: readonly GroupNote[];
}

const SHOWN_FILES = 50;

/** Decides which drafts the files of an import become. Reads nothing but the files. */
export async function planImport({ files, collisions, version }: ImportRequest, catalog: Catalog): Promise<ImportPlan> {
  const { found, notes } = await findProcesses(files);
  const hasFiles = (source: FoundProcess) => [...ownInputs(source, found, files)].length > 0 || refersToFiles(source);
  const named = planNames(found, { catalog, collisions, hasFiles, version });
  const places = new Map(named.planned.flatMap((plan) => addressesOf(plan).map((address) => [address, pathOf(plan)])));
  const used = new Set(found.map(({ path }) => path));
  const drafts: ImportedDraft[] = [];
  const further: GroupNote[] = [];
  for (const plan of named.planned) {
    await giveWay();
    const gathered = gather(plan, { files, places, found });
    for (const path of gathered.used) used.add(path);
    further.push(...problemsOf(plan, gathered));
    if (!plan.isKnown && gathered.text.length <= MAX_DRAFT_CHARACTERS)
      drafts.push({ ...plan, text: gathered.text, files: gathered.files });
  }
  return {
    drafts,
    notes: [
      ...notes.filter((note) => !isHelper(note, used, found)),
      ...named.notes,
      ...further,
      ...unusedNotes(files, used),
    ],
  };
}

/** A fragment that a document imports needs no report. */
function isHelper({ level, subject }: GroupNote, used: ReadonlySet<string>, found: readonly FoundProcess[]): boolean {
  return level === "error" && used.has(subject) && !found.some(({ path }) => path === subject);
}

function pathOf({ source, id, version, base, isKnown }: Planned): string {
  const known = isKnown ? base?.uri.split("/").at(-1) : undefined;
  return `${source.kind}s/${id}/${version}/${known === undefined ? `${id}.cwl` : decodeURIComponent(known)}`;
}

/** How other documents refer to it. */
function addressesOf({ source: { path, member } }: Planned): string[] {
  const uri = uriOfFile(path);
  if (member === undefined) return [uri];
  return member === "main" ? [uri, `${uri}#main`] : [`${uri}#${member}`];
}

interface Surroundings {
  readonly files: ImportedFiles;
  readonly places: ReadonlyMap<string, string>;
  readonly found: readonly FoundProcess[];
}

function gather(plan: Planned, { files, places, found }: Surroundings): Gathered {
  const { source } = plan;
  const place = posix.dirname(pathOf(plan));
  const options: GatherOptions = {
    files,
    place,
    processAt: (address) => places.get(address) ?? places.get(address.split("#")[0] ?? address),
  };
  // `gatherFiles` makes it relative.
  const referenceTo = ({ id }: Process) => (options.processAt(id) === undefined ? undefined : id);
  const original =
    source.member !== undefined ? splitMember(source, referenceTo) : (files.get(source.path)?.toString("utf8") ?? "");
  const document = gatherFiles({ path: source.path, text: original }, options);
  const inputs = gatherInputs(source.path, [...ownInputs(source, found, files)], options);
  return {
    text: document.text,
    files: new Map([...document.files, ...inputs.files]),
    used: new Set([...document.used, ...inputs.used]),
    missing: document.missing,
  };
}

/** Tests and examples next to the only document of a folder. */
function* ownInputs({ path }: FoundProcess, found: readonly FoundProcess[], files: ImportedFiles): Generator<string> {
  const folder = posix.dirname(path);
  if (found.filter((other) => posix.dirname(other.path) === folder).length !== 1) return;
  for (const name of files.keys()) {
    const own = posix.relative(folder, name);
    if (/^(?:tests|examples)\/[^/]+\.(?:ya?ml|json)$/.test(own) && pathProblem(own) === undefined) yield name;
  }
}

function refersToFiles({ packed }: FoundProcess): boolean {
  return /"location":"(?!https?:|data:)/.test(packed);
}

function problemsOf({ source, id }: Planned, { text, missing }: Gathered): GroupNote[] {
  const notes = missing.map((written): GroupNote => ({
    level: "warning",
    subject: id,
    text: `refers to ${JSON.stringify(written.slice(0, 200))}, which was not imported`,
  }));
  if (text.length > MAX_DRAFT_CHARACTERS)
    notes.push({ level: "error", subject: source.path, text: `has more than ${MAX_DRAFT_CHARACTERS} characters` });
  return notes;
}

function unusedNotes(files: ImportedFiles, used: ReadonlySet<string>): GroupNote[] {
  const unused = [...files.keys()].filter((path) => !used.has(path)).sort();
  const notes = unused.slice(0, SHOWN_FILES).map((subject): GroupNote => ({
    level: "info",
    subject: subject.slice(0, 1000),
    text: "is used by no document, so it was left out",
  }));
  const more = unused.length - notes.length;
  if (more > 0)
    notes.push({
      level: "info",
      subject: `${more} more files`,
      text: "are used by no document, so they were left out",
    });
  return notes;
}
