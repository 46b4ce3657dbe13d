import { needsValue } from "@weft/cwl/model/assignability.ts";
import { withoutFragment } from "@weft/cwl/values/resolve-reference.ts";
import type { Process, Workflow, WorkflowStep } from "@weft/cwl/model/process.ts";
import type { OutdatedNetwork } from "@weft/shared/records/draft-group-record.ts";
import { compareVersions, newestOf, type Catalog } from "../catalog/catalog.ts";
import { isRunnable, type CatalogEntry } from "../catalog/catalog-entry.ts";
import { compareContents } from "./propose-version.ts";

/** A step that runs an older version of a tool or network. */
interface OldStep {
  /** The path of the step, including the steps that contain its network: `outer/inner`. */
  readonly path: string;
  readonly step: WorkflowStep;
  readonly network: Workflow;
  readonly used: CatalogEntry;
}

/** Networks whose newest version runs an older version of `target`, with the effects of an upgrade. */
export function outdatedNetworks(target: CatalogEntry, catalog: Catalog): OutdatedNetwork[] {
  const compared = new Map<CatalogEntry, OutdatedNetwork["changes"]>();
  return catalog.all("network").flatMap(([id, versions]) => {
    const newest = newestOf(versions);
    const steps = newest === undefined || isSame(newest, target) ? [] : oldSteps(newest, target, catalog);
    if (newest === undefined || steps.length === 0) return [];
    const { label } = newest.process ?? {};
    const others = versions.filter((version) => version !== newest && oldSteps(version, target, catalog).length > 0);
    return [
      {
        ...{ id, version: newest.place.version, ...(label === undefined ? {} : { label }) },
        steps: steps.map(({ path: step, used }) => ({ step, version: used.place.version })),
        other_versions: others.flatMap(({ place }) => place.version ?? []),
        changes: changesOf(steps, target, compared),
        problems: target.process === undefined ? [] : problemsOf(steps, target.process),
      },
    ];
  });
}

/** Addresses of the older versions of `target` that a network runs. */
export function oldAddresses(network: CatalogEntry, target: CatalogEntry, catalog: Catalog): ReadonlySet<string> {
  return new Set(oldSteps(network, target, catalog).map(({ used }) => used.uri));
}

function isSame({ place }: CatalogEntry, { place: other }: CatalogEntry): boolean {
  return place.kind === other.kind && place.id === other.id;
}

function oldSteps({ process }: CatalogEntry, target: CatalogEntry, catalog: Catalog): OldStep[] {
  return process?.class === "Workflow" ? [...stepsOf(process, "", { target, catalog })] : [];
}

interface Sought {
  readonly target: CatalogEntry;
  readonly catalog: Catalog;
}

function* stepsOf(network: Workflow, prefix: string, sought: Sought): Generator<OldStep> {
  const { target, catalog } = sought;
  for (const step of network.steps) {
    const used = catalog.publisher(step.run);
    const path = prefix + step.id;
    if (used !== undefined && isSame(used, target) && isOlder(used, target)) yield { path, step, network, used };
    // A tool that another version publishes is upgraded there.
    const isEmbedded = withoutFragment(step.run.id) === withoutFragment(network.id);
    if (isEmbedded && step.run.class === "Workflow") yield* stepsOf(step.run, `${path}/`, sought);
  }
}

function isOlder({ place: { version } }: CatalogEntry, { place: { version: wanted } }: CatalogEntry): boolean {
  if (version === null || wanted === null) return version === null && wanted !== null;
  return compareVersions(version, wanted) < 0;
}

/** Differences in interface and behavior, each once. `compared` caches those of versions that many networks run. */
function changesOf(
  steps: readonly OldStep[],
  target: CatalogEntry,
  compared: Map<CatalogEntry, OutdatedNetwork["changes"]>,
): OutdatedNetwork["changes"] {
  const changes = [...new Set(steps.map((step) => step.used))].flatMap((old) => {
    const known = compared.get(old) ?? (isRunnable(old) && isRunnable(target) ? [...compareContents(old, target)] : []);
    compared.set(old, known);
    return known;
  });
  return [...new Map(changes.map((change) => [change.text, change])).values()];
}

function problemsOf(steps: readonly OldStep[], target: Process): string[] {
  const outputs = new Set(target.outputs.map(({ id }) => id));
  const inputs = new Set(target.inputs.map(({ id }) => id));
  return steps.flatMap(({ path, step, network }) => {
    const linked = new Set(step.in.map(({ id }) => id));
    const missing = target.inputs.filter((input) => needsValue(input) && !linked.has(input.id));
    const gone = step.in.filter(({ id, source }) => source.length > 0 && !inputs.has(id));
    const lost = step.out.filter((id) => !outputs.has(id) && isUsed(`${step.id}/${id}`, network));
    return [
      ...missing.map(({ id }) => `The step ${path} does not provide the input ${id}, which is required`),
      ...gone.map(({ id }) => `The step ${path} provides the input ${id}, which was removed`),
      ...lost.map((id) => `The network uses the output ${id} of the step ${path}, which was removed`),
    ];
  });
}

function isUsed(source: string, { steps, outputs }: Workflow): boolean {
  return (
    steps.some((step) => step.in.some((input) => input.source.includes(source))) ||
    outputs.some(({ outputSource }) => outputSource?.source.includes(source))
  );
}
