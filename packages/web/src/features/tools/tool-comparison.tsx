import { useQuery } from "@tanstack/react-query";
import type { InputRecord, OutputRecord, Tool } from "@weft/shared/records/process-record.ts";
import { toolQuery } from "../../api/queries/catalog-queries.ts";
import { LineDiff } from "../../components/line-diff.tsx";
import { VersionSelect } from "../../components/process/version-select.tsx";
import { fileName, isFileValue, isObject } from "../../format/value-text.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Pill } from "../../ui/state-badge.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

/** Changes between this version and the one in the URL (`?with=`). */
export default function ToolComparison({ tool }: { readonly tool: Tool }) {
  const [wanted, setWanted] = useSearchParam("with");
  const others = tool.versions.filter(({ version }) => version !== tool.version);
  const other = others.find(({ version }) => version === wanted) ?? others[0];
  if (other === undefined) return <EmptyState text="This is the only version." />;
  return (
    <div className="space-y-3">
      <VersionSelect
        label={`${tool.version ?? ""} compared with`}
        versions={others}
        value={other.version}
        onChange={setWanted}
      />
      <ComparisonList
        tool={tool}
        other={other.version}
        isOlder={indexOf(tool, other.version) > indexOf(tool, tool.version)}
      />
    </div>
  );
}

/** Versions are sorted newest first. */
function indexOf(tool: Tool, version: string | null): number {
  return tool.versions.findIndex((entry) => entry.version === version);
}

interface ComparisonListProps {
  readonly tool: Tool;
  /** The other version of the tool. */
  readonly other: string;
  /** True if the other version is the older one. */
  readonly isOlder: boolean;
}

function ComparisonList({ tool, other, isOlder }: ComparisonListProps) {
  const query = useQuery(toolQuery(tool.id, other));
  return (
    <QueryView query={query}>
      {(data) => {
        const [older, newer] = isOlder ? [data, tool] : [tool, data];
        const [from, to] = isOlder ? [other, tool.version] : [tool.version, other];
        return (
          <div className="space-y-5">
            <TitledSection card title={`From ${from} to ${to}`}>
              <Differences older={older} newer={newer} />
            </TitledSection>
            <SourceDiff older={older} newer={newer} />
          </div>
        );
      }}
    </QueryView>
  );
}

const EFFECT_LOOKS = {
  breaking: { word: "breaking", tone: "failed" },
  results: { word: "results may differ", tone: "canceled" },
  compatible: { word: "compatible", tone: "queued" },
} as const;

function Differences({ older, newer }: { readonly older: Tool; readonly newer: Tool }) {
  const differences = compareTools(older, newer);
  return (
    <>
      {differences.length === 0 && (
        <p className="text-soft">Inputs, outputs, command line, container and resources are identical.</p>
      )}
      <ul className="space-y-1.5">
        {differences.map(({ text, effect }) => (
          <li key={text} className="flex items-baseline gap-2">
            <Pill tone={EFFECT_LOOKS[effect].tone} className="shrink-0">
              {EFFECT_LOOKS[effect].word}
            </Pill>
            <span className="wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Line diff of the documents of two versions. */
function SourceDiff({ older, newer }: { readonly older: Tool; readonly newer: Tool }) {
  return (
    <TitledSection title="Source">
      <div className="space-y-4">
        {pairSources(older.source, newer.source).map((pair) => (
          <FileDiff key={pair.name} pair={pair} />
        ))}
      </div>
    </TitledSection>
  );
}

function FileDiff({ pair }: { readonly pair: SourcePair }) {
  return (
    <div>
      <h3 className="code mb-1 wrap-anywhere">
        {pair.name}
        {pair.before === undefined && " (new)"}
        {pair.after === undefined && " (removed)"}
      </h3>
      <LineDiff label={`Changes of ${pair.name}`} before={pair.before ?? ""} after={pair.after ?? ""} />
    </div>
  );
}

/**
 * The effect of a difference on a network that uses the older version: it may break, it may produce different results
 * with equal inputs, or neither.
 */
type Effect = (typeof EFFECTS)[number];
const EFFECTS = ["breaking", "results", "compatible"] as const;

interface Difference {
  readonly text: string;
  readonly effect: Effect;
}

/** Differences between two versions of a tool: inputs, outputs, command and container, breaking changes first. */
export function compareTools(older: Tool, newer: Tool): readonly Difference[] {
  const differences: readonly Difference[] = [
    ...comparePorts("Input", [older.inputs, newer.inputs], compareInput),
    ...comparePorts("Output", [older.outputs, newer.outputs], compareOutput),
    ...changed("The command line", older.command?.template_text ?? "", newer.command?.template_text ?? ""),
    ...changed("The container", older.container?.image ?? "none", newer.container?.image ?? "none"),
    ...changed(
      "The requested resources",
      JSON.stringify(older.resources),
      JSON.stringify(newer.resources),
      "compatible",
    ),
  ];
  return differences.toSorted((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect));
}

/** The removed ports, then the others in their new order. */
function comparePorts<Port extends OutputRecord>(
  noun: "Input" | "Output",
  [older, newer]: readonly [readonly Port[], readonly Port[]],
  describe: (port: Port, before: Port | undefined) => readonly Difference[],
): readonly Difference[] {
  const removed = older
    .filter(({ id }) => !newer.some((port) => port.id === id))
    .map(({ id }) => ({ text: `${noun} ${id} was removed`, effect: "breaking" as const }));
  const rest = newer.flatMap((port) => {
    const before = older.find(({ id }) => id === port.id);
    const types = before === undefined ? [] : changedType(noun, before, port);
    return [...types, ...describe(port, before)];
  });
  return [...removed, ...rest];
}

function compareInput(input: InputRecord, before: InputRecord | undefined): readonly Difference[] {
  if (before === undefined) return [addedInput(input)];
  return [...changedNeed(before, input), ...changedDefault(before, input)];
}

function compareOutput({ id, type_text: type }: OutputRecord, before: OutputRecord | undefined): readonly Difference[] {
  return before === undefined ? [{ text: `Output ${id} (${type}) was added`, effect: "compatible" }] : [];
}

/** A default may change the results of a network that does not set the new input. */
function addedInput({ id, type_text: type, required, default: value }: InputRecord): Difference {
  const added = `Input ${id} (${type}) was added`;
  if (required) return { text: `${added}, required`, effect: "breaking" };
  if (value === undefined || value === null) return { text: added, effect: "compatible" };
  return { text: `${added} with the default ${JSON.stringify(nameFiles(value))}`, effect: "results" };
}

function changedNeed(before: InputRecord, input: InputRecord): readonly Difference[] {
  if (before.required === input.required) return [];
  return input.required
    ? [{ text: `Input ${input.id} is now required`, effect: "breaking" }]
    : [{ text: `Input ${input.id} is no longer required`, effect: "compatible" }];
}

function changedDefault(before: InputRecord, input: InputRecord): readonly Difference[] {
  const [from, to] = [nameFiles(before.default), nameFiles(input.default)];
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const both = [from, to].map((value) => (value === undefined ? "none" : JSON.stringify(value)));
  return [{ text: `The default of ${input.id} changed from ${both.join(" to ")}`, effect: "results" }];
}

/** Replaces the files of a default with their names, because their locations always differ between versions. */
function nameFiles(value: unknown): unknown {
  if (isFileValue(value)) return [fileName(value), ...(value.secondaryFiles ?? []).map(fileName)].join(", ");
  if (Array.isArray(value)) return value.map(nameFiles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nameFiles(part)]));
}

function changedType(noun: string, before: OutputRecord, after: OutputRecord): readonly Difference[] {
  if (before.type_text === after.type_text) return [];
  const text = `${noun} ${after.id} changed its type from ${before.type_text} to ${after.type_text}`;
  return [{ text, effect: "breaking" }];
}

function changed(what: string, from: string, to: string, effect: Effect = "results"): readonly Difference[] {
  return from === to ? [] : [{ text: `${what} changed from ${from} to ${to}`, effect }];
}

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** The text of one file in both versions; undefined if a version lacks the file. */
interface SourcePair {
  /** The name of the file without its folder, which contains the version. */
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Pairs files by name; if each version has a single file, pairs these. */
export function pairSources(older: readonly SourceFile[], newer: readonly SourceFile[]): readonly SourcePair[] {
  const [first, second] = [older[0], newer[0]];
  if (first !== undefined && second !== undefined && older.length === 1 && newer.length === 1)
    return [{ name: nameOf(second), before: first.text, after: second.text }];
  const textOf = (files: readonly SourceFile[], name: string): string | undefined =>
    files.find((file) => nameOf(file) === name)?.text;
  const names = new Set([...newer, ...older].map(nameOf));
  return [...names].map((name) => ({ name, before: textOf(older, name), after: textOf(newer, name) }));
}

function nameOf({ file }: SourceFile): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
