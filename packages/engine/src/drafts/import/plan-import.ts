import { posix } from "node:path";
import { checkExpressions } from "@weft/cwl/expression/static/check-expressions.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { GroupNote } from "@weft/shared/records/draft-group-record.ts";
import { MAX_DRAFT_CHARACTERS } from "@weft/shared/records/draft-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { JsonValue } from "@weft/cwl/model/json-value.ts";
import { writeYaml } from "@weft/cwl/document/write-yaml.ts";
import { pathProblem } from "../draft-file-path.ts";
import { tooManyDrafts } from "../draft-store.ts";
import { findProcesses, type FoundProcess, type UnreadDocument } from "./find-processes.ts";
import { gatherFiles, gatherInputs, type Gathered, type GatherOptions } from "./gather-files.ts";
import { uriOfFile, type ImportedFiles } from "./imported-files.ts";
import { planNames, type Collisions, type Naming, type Planned } from "./plan-names.ts";

export interface ImportRequest {
  readonly files: ImportedFiles;
  readonly collisions: Collisions;
  /** The version of documents that do not have one. Default: 1.0.0. */
  readonly version?: string | undefined;
  /** The number of drafts that can still be added. */
  readonly room: number;
}

/** A draft to create. */
export interface ImportedDraft extends Planned {
  readonly text: string;
  /** Files next to the document. */
  readonly files: ImportedFiles;
}

interface ImportTarget extends Pick<Naming, "knownVersions"> {
  readonly add: (draft: ImportedDraft) => Promise<void>;
}

/** The maximum size of the texts and files of all drafts. */
const MAX_DRAFTS_BYTES = 256 * 1024 * 1024;

/**
 * Decides which drafts the files of an import become, and reports the fate of every file. Reads only these files. Runs
 * in a thread, because the files decide how long it takes.
 */
export async function planImport(
  { files, collisions, version, room }: ImportRequest,
  { knownVersions, add }: ImportTarget,
): Promise<readonly GroupNote[]> {
  const { found, unread, notes } = await findProcesses(files);
  const surroundings = { files, found, ...indexFiles(files, found) };
  const { ownInputs } = surroundings;
  const hasFiles = (source: FoundProcess) => ownInputs(source).length > 0 || refersToFiles(source);
  const named = await planNames(found, { knownVersions, collisions, hasFiles, version });
  const fresh = named.planned.filter(({ isKnown }) => !isKnown);
  if (fresh.length > room) throw tooManyDrafts();
  const places = new Map(named.planned.flatMap((plan) => addressesOf(plan).map((address) => [address, pathOf(plan)])));
  const users = new Map<string, string>();
  const ran = new Set<string>();
  const further: GroupNote[] = [];
  let left = MAX_DRAFTS_BYTES;
  for (const plan of named.planned) {
    const gathered = gather(plan, { ...surroundings, places });
    for (const path of gathered.used) users.set(path, users.get(path) ?? `${plan.source.kind} ${plan.id}`);
    for (const path of gathered.ran) ran.add(path);
    further.push(...problemsOf(plan, gathered, found));
    left -= gathered.text.length + [...gathered.files.values()].reduce((sum, { content }) => sum + content.length, 0);
    if (left < 0) throw new Refusal("body-too-large", "The drafts of an import can have 256 MiB with their files.");
    if (!plan.isKnown && gathered.text.length <= MAX_DRAFT_CHARACTERS)
      await add({ ...plan, text: gathered.text, files: gathered.files });
  }
  const isPart = ({ path, isTree }: UnreadDocument) => isTree && users.has(path) && !ran.has(path);
  const failed = unread.filter((document) => !isPart(document));
  const reported = new Set([...found, ...failed].map(({ path }) => path));
  const others = [...files.keys()].filter((path) => !reported.has(path)).sort();
  return [
    ...failed.map(({ note }) => note),
    ...notes,
    ...named.notes,
    ...further,
    ...others.map((path) => fileNote(path, users.get(path))),
  ];
}

function fileNote(subject: string, user: string | undefined): GroupNote {
  const text = user === undefined ? "is used by no document, so it was left out" : `comes with the ${user}`;
  return { level: "info", subject: subject.slice(0, 1000), text };
}

/** Finds files by folder without scanning all of them each time. */
function indexFiles(files: ImportedFiles, found: readonly FoundProcess[]) {
  const folders: (readonly [folder: string, path: string])[] = [];
  for (const path of files.keys())
    for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) folders.push([folder, path]);
  const byFolder = Map.groupBy(folders, ([folder]) => folder);
  const below = (folder: string): readonly string[] => (byFolder.get(folder) ?? []).map(([, path]) => path);
  const documents = Map.groupBy(found, ({ path }) => posix.dirname(path));
  /** Tests and examples next to the only document of a folder. */
  const ownInputs = ({ path }: FoundProcess): readonly string[] => {
    const folder = posix.dirname(path);
    if (documents.get(folder)?.length !== 1) return [];
    return ["tests", "examples"].flatMap((name) =>
      below(posix.join(folder, name)).filter((file) => {
        const own = posix.relative(folder, file);
        return /^[^/]+\/[^/]+\.(?:ya?ml|json)$/.test(own) && pathProblem(own) === undefined;
      }),
    );
  };
  return { below, ownInputs };
}

function pathOf({ source, id, version, base, isKnown }: Planned): string {
  const known = isKnown ? base?.uri.split("/").at(-1) : undefined;
  return `${source.kind}s/${id}/${version}/${known === undefined ? `${id}.cwl` : decodeURIComponent(known)}`;
}

/** The addresses by which other documents refer to a planned document. */
function addressesOf({ source: { path, member } }: Planned): string[] {
  const uri = uriOfFile(path);
  if (member === undefined) return [uri];
  return member === "main" ? [uri, `${uri}#main`] : [`${uri}#${member}`];
}

interface ImportIndex extends ReturnType<typeof indexFiles> {
  readonly files: ImportedFiles;
  readonly places: ReadonlyMap<string, string>;
}

function gather(plan: Planned, { files, places, below, ownInputs }: ImportIndex): Gathered {
  const { source } = plan;
  const place = posix.dirname(pathOf(plan));
  const options: GatherOptions = {
    ...{ files, below, place },
    processAt: (address) => places.get(address) ?? places.get(address.split("#")[0] ?? address),
  };
  // `gatherFiles` makes it relative.
  const referenceTo = ({ id }: Process) => (options.processAt(id) === undefined ? undefined : id);
  const original =
    source.member !== undefined
      ? splitMember(source, referenceTo)
      : (files.get(source.path)?.content.toString("utf8") ?? "");
  const document = gatherFiles({ path: source.path, text: original }, options);
  const inputs = gatherInputs(source.path, ownInputs(source), options);
  return {
    text: document.text,
    files: new Map([...document.files, ...inputs.files]),
    used: new Set([...document.used, ...inputs.used]),
    ran: document.ran,
    missing: document.missing,
  };
}

function refersToFiles({ packed }: FoundProcess): boolean {
  return /"location":"(?!https?:|data:)/.test(packed());
}

function problemsOf({ source, id }: Planned, { text, missing }: Gathered, found: readonly FoundProcess[]): GroupNote[] {
  const notes = missing.map((written): GroupNote => ({
    level: "warning",
    subject: id,
    text: `refers to ${JSON.stringify(written.slice(0, 200))}, which was not imported`,
  }));
  notes.push(...inheritedNotes(source, id, found));
  if (text.length > MAX_DRAFT_CHARACTERS)
    notes.push({ level: "error", subject: source.path, text: `has more than ${MAX_DRAFT_CHARACTERS} characters` });
  return notes;
}

const NOWHERE = { file: "", line: 1, column: 1 };

/** A process that inherits the permission to use JavaScript from the network around it is invalid by itself. */
function inheritedNotes({ process }: FoundProcess, id: string, found: readonly FoundProcess[]): GroupNote[] {
  const around = found.find(
    ({ process: one }) => one.class === "Workflow" && one.steps.some(({ run }) => run.id === process.id),
  );
  if (around === undefined) return [];
  const needs = checkExpressions(process, () => NOWHERE).some(({ code }) => code === "javascript-needed");
  const text = `uses JavaScript, which only the network ${around.wantedId} around it allows, so it cannot be published by itself. Open its draft: the editor offers to add InlineJavascriptRequirement`;
  return needs ? [{ level: "warning", subject: id, text }] : [];
}

type Fields = { [field: string]: JsonValue };

/**
 * Turns one member of a packed document into a document of its own, with short IDs. `referenceTo` returns the reference
 * to another member.
 */
function splitMember({ packed, process }: FoundProcess, referenceTo: (process: Process) => string | undefined): string {
  const document = fieldsOf(parseExactJson(packed())); // `packDocument` has made it
  const graph = document["$graph"];
  // The first is the process itself; the others are those that it refers to.
  const own = Array.isArray(graph) ? fieldsOf(graph[0]) : document;
  const { $graph: _graph, ...head } = document;
  const { id: _id, ...body } = own;
  const text: Fields = { ...head, ...body };
  delete text["id"];
  redirect(text, process, referenceTo);
  return writeYaml(text);
}

/** The steps of a packed process are in the order of the model. */
function redirect(fields: Fields, process: Process, referenceTo: (process: Process) => string | undefined): void {
  if (process.class !== "Workflow") return;
  const steps = Array.isArray(fields["steps"]) ? fields["steps"] : [];
  for (const [index, { run }] of process.steps.entries()) {
    const step = fieldsOf(steps[index]);
    if (typeof step["run"] === "string") step["run"] = referenceTo(run) ?? step["run"];
    else redirect(fieldsOf(step["run"]), run, referenceTo);
  }
}

function fieldsOf(value: unknown): Fields {
  // The result of `packDocument` consists of objects and lists of JSON.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
