import { type DatasetQuery, type LeftOut, MAX_NAME_LENGTH, MAX_SAMPLES } from "../records/dataset-record.ts";
import { fileLeftOut } from "./explain-file.ts";
import { findCompanions, withoutExtension, type Companions, type ReadJson } from "./find-companions.ts";
import { groupFiles, type FileGroup } from "./group-files.ts";
import type { DatasetIndex, IndexedFile } from "./index-dataset.ts";
import { planQuery, type QueryFault, type QueryPlan } from "./query-plan.ts";
import { fillColumns, type SelectedValue } from "./fill-columns.ts";

/** A sample with the paths of its files, before they become CWL values. */
export interface SelectedSample {
  readonly name: string;
  readonly columns: Readonly<Record<string, SelectedValue>>;
}

export interface Selection {
  /** The samples, sorted by name. */
  readonly samples: readonly SelectedSample[];
  readonly samplesLeftOut: readonly LeftOut[];
  readonly filesLeftOut: readonly LeftOut[];
  readonly filesUsed: number;
}

/** Extensions of sidecars, which a query finds only if a condition names them. */
const SIDECARS = new Set([".json", ".bval", ".bvec"]);
/** Extensions of tables that describe other files. */
const DESCRIBING = new Set([...SIDECARS, ".tsv", ".tsv.gz"]);

/** Selects the samples of a query, and lists omitted samples and files with reasons. Pure, except for `readJson`. */
export function selectSamples(
  index: DatasetIndex,
  query: DatasetQuery,
  readJson: ReadJson = () => undefined,
): Selection | { readonly faults: readonly QueryFault[] } {
  const companions = findCompanions(index, readJson);
  const planned = planQuery(query, index, companions);
  if ("faults" in planned) return planned;
  const { plan } = planned;
  const files = dataFiles(index, query);
  const state = new Choice(plan, companions, index);
  if (plan.isPerFile) for (const file of files) state.addFile(file);
  else for (const group of groupFiles(files, plan.per)) state.addGroup(group, nameOf(group, plan, index));
  for (const subject of absentSubjects(index, query))
    state.leaveOut(`sub-${subject}`, "participants.tsv lists it, but it has no files");
  if (state.samples.length > MAX_SAMPLES)
    return { faults: [{ pointer: "/where", detail: `more than ${MAX_SAMPLES} samples match; add conditions` }] };
  return { ...state.result(), filesLeftOut: [...index.problems, ...unusedFiles(files, state, plan)] };
}

/** Collects samples with unique names. */
class Choice {
  readonly samples: SelectedSample[] = [];
  readonly #leftOut = new Map<string, LeftOut>();
  readonly #used = new Set<string>();
  readonly #names = new Set<string>();
  readonly #plan: QueryPlan;
  readonly #companions: Companions;
  readonly #index: DatasetIndex;

  constructor(plan: QueryPlan, companions: Companions, index: DatasetIndex) {
    this.#plan = plan;
    this.#companions = companions;
    this.#index = index;
  }

  uses({ path }: IndexedFile): boolean {
    return this.#used.has(path);
  }

  addGroup(group: FileGroup, name: string): void {
    const filled = fillColumns(group.files, this.#plan, this.#companions);
    if ("reason" in filled) return this.leaveOut(name, filled.reason);
    this.#add(name, filled);
  }

  /** A file that does not match is reported as a file, not as a sample. */
  addFile(file: IndexedFile): void {
    const filled = fillColumns([file], this.#plan, this.#companions);
    const path = withoutExtension(file);
    const name = this.#index.kind === "bids" ? path.slice(path.lastIndexOf("/") + 1) : path.replaceAll("/", "_");
    if (!("reason" in filled)) this.#add(name, filled);
    else if (filled.isAboutSample) this.leaveOut(name, filled.reason);
  }

  leaveOut(name: string, reason: string): void {
    this.#leftOut.set(name, { kind: "sample", name, reason });
  }

  result() {
    return {
      samples: this.samples.toSorted((a, b) => compareNames(a.name, b.name)),
      samplesLeftOut: [...this.#leftOut.values()].toSorted((a, b) => compareNames(a.name, b.name)),
      filesUsed: this.#used.size,
    };
  }

  #add(
    wanted: string,
    { columns, used }: { readonly columns: SelectedSample["columns"]; readonly used: readonly string[] },
  ): void {
    if (wanted.length > MAX_NAME_LENGTH)
      return this.leaveOut(wanted, `its name is longer than ${MAX_NAME_LENGTH} characters`);
    if (this.#names.has(wanted)) return this.leaveOut(wanted, "another sample has this name");
    this.#names.add(wanted);
    for (const path of used) this.#used.add(path);
    this.samples.push({ name: wanted, columns });
  }
}

const collator = new Intl.Collator("en", { numeric: true });

function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}

/** Files that can be in a column; sidecars only if a condition names extensions. */
function dataFiles(index: DatasetIndex, { where = [], columns }: DatasetQuery): readonly IndexedFile[] {
  const conditions = [...where, ...columns.flatMap((column) => ("where" in column ? (column.where ?? []) : []))];
  const asks = conditions.some(({ field }) => field === "extension" || field === "ext" || field === "path");
  return index.files.filter(({ path, fields }) => {
    if (index.kind === "files") return true;
    return path.includes("/") && (asks || !SIDECARS.has(fields["extension"] ?? ""));
  });
}

/** `sub-01_ses-2` in BIDS, otherwise the values joined. */
function nameOf({ key }: FileGroup, { per }: QueryPlan, { kind }: DatasetIndex): string {
  return key
    .flatMap((value, at) => {
      if (value === undefined) return [];
      return kind === "bids" && per[at]?.kind === "name" ? [`${per[at].name}-${value}`] : [value];
    })
    .join("_");
}

/** Subjects of `participants.tsv` without a file, if samples are identified by their subject. */
function absentSubjects(index: DatasetIndex, { per }: DatasetQuery): string[] {
  if (index.kind !== "bids" || !(per[0] === "sub" || per[0] === "subject")) return [];
  const present = new Set(index.files.map(({ fields }) => fields["sub"]));
  return [...index.participants.keys()].filter((label) => label !== "" && !present.has(label));
}

function unusedFiles(files: readonly IndexedFile[], choice: Choice, plan: QueryPlan): LeftOut[] {
  return files.flatMap((file) => {
    if (choice.uses(file) || DESCRIBING.has(file.fields["extension"] ?? "")) return [];
    return [{ kind: "file" as const, name: file.path, reason: fileLeftOut(file, plan) }];
  });
}
