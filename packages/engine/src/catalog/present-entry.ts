import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import type { Links } from "@weft/shared/links.ts";
import type { NetworkSummary, ToolSummary } from "@weft/shared/records/process-record.ts";
import { imageName } from "../container/image-source.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { nullableTime } from "../present/present-time.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogEntry } from "./catalog-entry.ts";
import { portableValue, presentInput, presentInputs, presentOutput } from "./present-parameters.ts";
import { texts } from "./present-type.ts";

/** Arguments for presenting a catalog entry. */
export interface PresentContext {
  readonly catalog: Catalog;
  readonly read: LogReader;
  readonly uris: PortableUris;
  readonly links: Links;
  /** The only owner whose runs count; undefined: every owner. */
  readonly owner: string | undefined;
}

export function entryUrl(
  entry: { readonly place: Pick<CatalogEntry["place"], "kind" | "id" | "version"> },
  links: Links,
  version: string | null = entry.place.version,
): string {
  const { kind, id } = entry.place;
  return kind === "tool" ? links.tool(id, version) : links.network(id, version);
}

/** The fields shared by short and long records of tools and networks. */
export function presentShort(entry: CatalogEntry, { catalog, read, links, owner }: PresentContext) {
  const { kind, id, version } = entry.place;
  const stats = read.processStats(kind, id, owner);
  return {
    id,
    version,
    versions: catalog.knownVersions(kind, id).flatMap((other) => presentVersion(other, links)),
    url: entryUrl(entry, links),
    digest: entry.digest,
    class: entry.process?.class ?? null,
    ...texts(entry.process ?? {}),
    validation_status: statusOf(entry),
    stats: { runs: stats.runs, last_run_at: nullableTime(stats.lastMs), median_duration_ms: stats.medianMs },
  };
}

/** Fields that long records add to short ones. */
export function presentLong(entry: CatalogEntry, context: PresentContext) {
  const { process } = entry;
  return {
    ...presentShort(entry, context),
    cwl_version: process?.cwlVersion ?? null,
    examples: entry.examples.map(({ name, inputs }) => ({
      name,
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([input, value]) => [input, portableValue(value, context.uris)]),
      ),
    })),
    inputs: process === undefined ? [] : presentInputs(process, context.uris),
    outputs: process?.outputs.map(presentOutput) ?? [],
    validation: { status: statusOf(entry), issues: [...entry.issues] },
    source: entry.sources.map(({ file, text }) => ({ file, text })),
  };
}

export function presentNetworkSummary(entry: CatalogEntry, context: PresentContext): NetworkSummary {
  const { process } = entry;
  return {
    ...presentShort(entry, context),
    step_count: process?.class === "Workflow" ? process.steps.length : 0,
    required_inputs: process?.inputs.filter((input) => presentInput(input, context.uris).required).length ?? 0,
  };
}

export function presentToolSummary(entry: CatalogEntry, context: PresentContext): ToolSummary {
  const image = containerOf(entry);
  return {
    ...presentShort(entry, context),
    ...(image === undefined ? {} : { container: image }),
    used_by_count: new Set(context.catalog.usesOf(entry.place.id).map((use) => use.network.place.id)).size,
  };
}

export function containerOf({ process }: CatalogEntry): string | undefined {
  const [requirement] = requirementsOf(process, "DockerRequirement");
  return requirement && imageName(requirement);
}

export function requirementsOf<Class extends Requirement["class"]>(
  process: Process | undefined,
  name: Class,
): Extract<Requirement, { class: Class }>[] {
  const all = [...(process?.requirements ?? []), ...(process?.hints ?? [])];
  return all.filter((requirement): requirement is Extract<Requirement, { class: Class }> => requirement.class === name);
}

function presentVersion(entry: CatalogEntry, links: Links) {
  const { version, deprecated } = entry.place;
  const { digest, pin } = entry;
  const imported = pin?.source === undefined ? {} : { imported: { from: pin.source, digest: pin.digest } };
  const url = entryUrl(entry, links);
  return version === null ? [] : [{ version, url, deprecated, digest, pinned: pin?.changed.length === 0, ...imported }];
}

function statusOf(entry: CatalogEntry): "valid" | "warnings" | "invalid" {
  if (entry.process === undefined || entry.issues.some((issue) => issue.severity === "error")) return "invalid";
  return entry.issues.length > 0 ? "warnings" : "valid";
}
