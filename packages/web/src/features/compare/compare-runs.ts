import { mediaTypeOf } from "@weft/shared/media-type-of.ts";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isTooLarge, previewKind } from "../../components/preview/preview-kind.ts";
import { processName } from "../../format/process-name.ts";
import { FAILURE_CHOICES, labelOf } from "../../components/run-form/model/run-settings.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { sampleTotal } from "../../format/sample-total.ts";
import { JOB_STATE_ORDER, STATE_LOOKS } from "../../format/state-look.ts";
import { type FileValue, fileName, folderText, isFileValue, isObject } from "../../format/value-text.ts";

export const SECTIONS = ["Run", "Inputs", "Outputs", "Steps"] as const;
export type Section = (typeof SECTIONS)[number];

/** Labels of the compared runs, in order; the first is the base. */
export const MARKS = ["A", "B", "C", "D"] as const;

/** One item across several runs, in the order of the runs. */
export interface ComparedThing {
  readonly section: Section;
  readonly name: string;
  /** Undefined if a run does not have the item. */
  readonly sides: readonly (string | undefined)[];
  /** For each run, whether it differs from the base, which is the first run and never differs. */
  readonly differs: readonly boolean[];
  /** For each run, the difference of a number from the base: `+12.5%`. */
  readonly changes: readonly (string | undefined)[];
  /** The sides that are files. */
  readonly files: readonly (FileValue | undefined)[];
  readonly isSame: boolean;
}

/** Values of one result beyond this number are only counted. */
const MAX_VALUES = 3;

/** Larger texts are not read into the page. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** A file with an unknown extension may be text; its content decides once it is read. */
const MAYBE_TEXT = /^(text\/|application\/(json|ld\+json|x-ndjson|xml|octet-stream))/;

/**
 * Compares runs value by value with the first. Files are equal if their checksums are, wherever they are; without
 * checksums, if their locations are. Times and identities naturally differ between runs and are left out, and so are values
 * that are too large for the page: see `isLarge`.
 */
export function compareRuns(runs: readonly Run[]): readonly ComparedThing[] {
  return [
    ...lineUp("Run", runs.map(factsOf)).map(withoutDigests),
    ...(isLarge("Inputs", runs)
      ? []
      : lineUp(
          "Inputs",
          runs.map(({ inputs }) => leavesOf(inputs ?? {})),
        )),
    ...(isLarge("Outputs", runs) ? [] : lineUp("Outputs", runs.map(producedLeaves))),
    ...lineUp("Steps", runs.map(stepsOf)),
  ];
}

type LargeSection = "Inputs" | "Outputs";

/** True if a section of one of the runs was too large to be read into the page. */
export function isLarge(section: LargeSection, runs: readonly Run[]): boolean {
  const part = section === "Inputs" ? "inputs" : "outputs";
  return runs.some((run) => run[part] === null && run.omitted?.[`${part}_bytes`] !== undefined);
}

/** `same`; for two runs `differs` or `only in A`, for more `B and D differ`. */
export function resultText({ isSame, differs, sides }: Pick<ComparedThing, "isSame" | "differs" | "sides">): string {
  if (isSame) return "same";
  const others = MARKS.filter((_, place) => differs[place] === true);
  if (differs.length === 2)
    return sides[0] === undefined ? "only in B" : sides[1] === undefined ? "only in A" : "differs";
  const last = others.at(-1) ?? "";
  return others.length === 1 ? `${last} differs` : `${others.slice(0, -1).join(", ")} and ${last} differ`;
}

/** The output that an item belongs to, and its index: `masks` and 2 for `masks[2].volume`. */
export function placeOfOutput(name: string): { readonly output: string; readonly index: number | undefined } {
  const [, output = name, digits] = /^([^[.]+)(?:\[(\d+)\])?/.exec(name) ?? [];
  return { output, index: digits === undefined ? undefined : Number(digits) };
}

const CHECKSUM_LETTERS = "sha1$".length + 8;

const MAX_PERCENT = 100_000;

/** Undefined if two numbers are equal, or one is not a number. */
export function changeText(before: number | undefined, after: number | undefined): string | undefined {
  if (before === undefined || after === undefined || before === after) return undefined;
  const sign = after > before ? "+" : "−";
  const percent = Math.abs((after - before) / before) * 100;
  if (before === 0 || percent > MAX_PERCENT) return `${sign}${Number(Math.abs(after - before).toPrecision(3))}`;
  if (percent < 0.001) return `${sign}less than 0.001%`;
  return `${sign}${Number(percent.toPrecision(3))}%`;
}

interface Leaf {
  readonly text: string;
  readonly amount?: number | undefined;
  /** Equal if the items are. */
  readonly identity: string;
  readonly file?: FileValue;
}

type Leaves = ReadonlyMap<string, Leaf>;

/** Orders items as in the first run; items that only other runs have come last. */
function lineUp(section: Section, runs: readonly Leaves[]): readonly ComparedThing[] {
  const names = new Set(runs.flatMap((leaves) => [...leaves.keys()]));
  return [...names].map((name) => {
    const leaves = runs.map((run) => run.get(name));
    const differs = leaves.map((leaf) => leaf?.identity !== leaves[0]?.identity);
    const files = leaves.map((leaf) => leaf?.file);
    const isSame = !differs.includes(true);
    const sides = isSame || section !== "Inputs" ? leaves.map((leaf) => leaf?.text) : distinctTexts(leaves);
    const changes = leaves.map((leaf) => changeText(leaves[0]?.amount, leaf?.amount));
    return { section, name, sides, differs, changes, files, isSame };
  });
}

/** Adds the folders of different files that look equal, or the beginning of their checksums. */
function distinctTexts(leaves: readonly (Leaf | undefined)[]): readonly (string | undefined)[] {
  const withMore = (more: (file: FileValue) => string) =>
    leaves.map((leaf) => (leaf?.file === undefined ? leaf?.text : `${leaf.text}, ${more(leaf.file)}`));
  const choices = [
    leaves.map((leaf) => leaf?.text),
    withMore((file) => folderText(file) || "inline content"),
    withMore((file) => file.checksum?.slice(0, CHECKSUM_LETTERS) ?? file.location ?? "other content"),
  ];
  return choices.find((texts) => new Set(texts).size > 1) ?? choices[0] ?? [];
}

/** Replaces digests, which people cannot compare, with whether the documents are equal. */
function withoutDigests(thing: ComparedThing): ComparedThing {
  if (thing.name !== "Document") return thing;
  const sides = thing.differs.map((differs, place) => (place === 0 ? "baseline" : differs ? "different" : "identical"));
  return { ...thing, sides };
}

function plain(text: string): Leaf {
  return { text, identity: text };
}

function factsOf(run: Run): Leaves {
  const process = run.network ?? run.tool;
  const samples = run.samples.join(", ");
  return new Map([
    [run.network === undefined ? "Tool" : "Network", plain(processName(run))],
    ["Document", { text: "", identity: process?.digest ?? "" }],
    ["State", plain(STATE_LOOKS[run.state].word)],
    ["When a job fails", plain(labelOf(FAILURE_CHOICES, run.options.on_failure ?? DEFAULT_FAILURE_POLICY))],
    ["Max parallel jobs", plain(String(run.options.max_parallel_jobs ?? "no limit"))],
    [
      "Samples",
      {
        text: `${numberText(run.samples.length)}${sampleTotal(run) === undefined ? "+" : ""}: ${samples.slice(0, 80)}${samples.length > 80 ? "…" : ""}`,
        identity: samples,
      },
    ],
  ]);
}

function stepsOf(run: Run): Leaves {
  return new Map(
    run.step_counts.map(({ step, job_counts }) => {
      const counts = JOB_STATE_ORDER.filter((state) => (job_counts[state] ?? 0) > 0);
      const text = counts.map((state) => `${job_counts[state]} ${STATE_LOOKS[state].word.toLowerCase()}`).join(", ");
      return [step === "" ? "Tool" : step, plain(text === "" ? "no jobs" : text)];
    }),
  );
}

/** Null in the outputs of a failed or aborted run means that the value was not produced. */
function producedLeaves({ outputs, partial }: Run): Leaves {
  const leaves = leavesOf(outputs ?? {});
  return partial ? new Map([...leaves].filter(([, { identity }]) => identity !== "null")) : leaves;
}

/** Every plain value by its path: `images[2]`, `settings.width`. */
function leavesOf(values: Readonly<Record<string, unknown>>): Leaves {
  const leaves = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(values)) addLeaves(leaves, name, value);
  return leaves;
}

function addLeaves(leaves: Map<string, Leaf>, name: string, value: unknown): void {
  if (isFileValue(value)) leaves.set(name, { text: fileText(value), identity: fileIdentity(value), file: value });
  else if (Array.isArray(value) && value.length > 0)
    value.forEach((entry, place) => addLeaves(leaves, `${name}[${place}]`, entry));
  else if (isObject(value) && Object.keys(value).length > 0)
    for (const [field, inner] of Object.entries(value)) addLeaves(leaves, `${name}.${field}`, inner);
  else if (typeof value === "number") leaves.set(name, { ...plain(String(value)), amount: value });
  else leaves.set(name, plain(typeof value === "string" ? value : JSON.stringify(value ?? null)));
}

function fileText(file: FileValue): string {
  const more = (file.secondaryFiles ?? []).length;
  const parts = [
    fileName(file),
    file.size === undefined ? "" : formatBytes(file.size),
    more > 0 ? `${more} secondary files` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function fileIdentity(file: FileValue): string {
  const own = file.checksum ?? file.location ?? file.path ?? JSON.stringify(file);
  const inner = [...(file.secondaryFiles ?? []), ...(file.listing ?? [])].map((part) => [
    fileName(part),
    fileIdentity(part),
  ]);
  // Compares folders by content, ignoring their location.
  return file.class === "Directory" && file.listing !== undefined
    ? JSON.stringify(inner)
    : JSON.stringify([own, inner]);
}

/** Marks inputs that look equal, but whose contents differ, such as files that were replaced between the runs. */
export function withFoundInputs(
  things: readonly ComparedThing[],
  comparisons: readonly (RunComparison | undefined)[],
): readonly ComparedThing[] {
  const found = comparisons.map((comparison) => new Set(comparison?.inputs.map(({ name }) => name)));
  return things.map((thing) => {
    if (thing.section !== "Inputs") return thing;
    const differs = thing.differs.map((own, place) => own || found[place]?.has(thing.name) === true);
    return { ...thing, differs, isSame: !differs.includes(true) };
  });
}

/** The differences from the first run that the server found; `comparisons` by run, undefined while they are read. */
export function namedByServer(
  section: LargeSection,
  runs: readonly Run[],
  comparisons: readonly (RunComparison | undefined)[],
): readonly ComparedThing[] {
  const part = section === "Inputs" ? "inputs" : "outputs";
  const found = comparisons.map((comparison) => new Set(comparison?.[part].map(({ name }) => name)));
  const names = new Set(found.flatMap((own) => [...own]));
  return [...names].map((name) => {
    const differs = runs.map((_, place) => found[place]?.has(name) === true);
    const sides = differs.map((isOther, place) => (place === 0 ? "baseline" : isOther ? "different" : "identical"));
    return { section, name, sides, differs, changes: [], files: [], isSame: false };
  });
}

/**
 * Results that differ, in sample order, after those of the run as a whole. Several values of one result share a row.
 */
export function groupResults(things: readonly ComparedThing[]): readonly ComparedThing[] {
  const groups = Map.groupBy(things, resultName);
  const rows = [...groups].flatMap(([name, own]) =>
    own.length <= MAX_VALUES || own.some(({ files }) => files.some((file) => file !== undefined))
      ? own
      : [folded(name, own)],
  );
  const place = ({ name }: ComparedThing): number => placeOfOutput(name).index ?? -1;
  return rows.toSorted((a, b) => place(a) - place(b));
}

/** `series[2]` of `series[2][7]`, `stats` of `stats.mean`. */
function resultName({ name }: ComparedThing): string {
  const { output, index } = placeOfOutput(name);
  return index === undefined ? output : `${output}[${index}]`;
}

function folded(name: string, things: readonly ComparedThing[]): ComparedThing {
  const places = things[0]?.sides.map((_, place) => place) ?? [];
  const differing = (place: number): number => things.filter(({ differs }) => differs[place] === true).length;
  return {
    section: "Outputs",
    name,
    sides: places.map((place) =>
      place === 0 ? countText(things.length, "value") : `${differing(place)} of them differ`,
    ),
    differs: places.map((place) => differing(place) > 0),
    changes: [],
    files: [],
    isSame: false,
  };
}

/** An output for which two runs have different files, which users can view side by side. */
export interface FilePair {
  readonly name: string;
  /** Label of the other run; the first is always `A`. */
  readonly mark: string;
  readonly kind: "text" | "image" | "volume";
  readonly before: FileValue;
  readonly after: FileValue;
}

/** Pairs of files that can be viewed side by side: texts, images and volumes. */
export function filePairs({ section, isSame, name, files, differs }: ComparedThing): readonly FilePair[] {
  if (section !== "Outputs" || isSame) return [];
  return files.flatMap((after, place) => {
    const [before, mark] = [files[0], MARKS[place]];
    if (differs[place] !== true || before === undefined || after === undefined || mark === undefined) return [];
    const kind = kindOf(before);
    return kind !== undefined && kind === kindOf(after) ? [{ name, mark, kind, before, after }] : [];
  });
}

function kindOf(file: FileValue): FilePair["kind"] | undefined {
  const { size } = file;
  const name = fileName(file);
  if (file.class !== "File" || size === undefined || isTooLarge(name, size)) return undefined;
  const preview = previewKind(name);
  if (preview === "image") return "image";
  if (preview === "nifti") return "volume";
  return size <= MAX_TEXT_BYTES && MAYBE_TEXT.test(mediaTypeOf(name)) ? "text" : undefined;
}

/** True if bytes that were decoded as UTF-8 are text. */
export function isText(content: string): boolean {
  return !content.includes("\0") && !content.includes("\uFFFD");
}

/** Whether two texts differ only in line endings, or in the one at the very end. */
export function differsInLineEndsOnly(a: string, b: string): boolean {
  const lines = (text: string): string => text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  return a !== b && lines(a) === lines(b);
}
