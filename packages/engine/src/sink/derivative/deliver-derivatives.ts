import { fileURLToPath } from "node:url";
import { bidsUri } from "@weft/shared/dataset/bids-source.ts";
import { DESCRIPTION, IGNORE_FILE, PARTICIPANTS } from "@weft/shared/dataset/dataset-source.ts";
import { isStandardName } from "@weft/shared/dataset/derivative-name.ts";
import { readBidsName } from "@weft/shared/dataset/read-bids-name.ts";
import type { OutputParameter } from "@weft/cwl/model/process.ts";
import { giveWay } from "../../async/give-way.ts";
import { digestOf } from "../../files/hash-file.ts";
import { Gate } from "../../async/gate.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { readSmallText } from "../../files/beneath/read-small-text.ts";
import { runLater } from "../../files/beneath/steps.ts";
import type { RunLog } from "../../journal/run-log.ts";
import type { PlacingFault } from "../folders/sink-folders.ts";
import type { Placement } from "../plan-placements.ts";
import {
  findDataset,
  replaceTexts,
  type DatasetPlace,
  type FoundDataset,
  type WritingOptions,
} from "../folders/dataset-folder.ts";
import { extendDescription, extendParticipants, type SourceDataset } from "../folders/dataset-texts.ts";
import { runGenerators } from "./run-generators.ts";
import type { SampleSources } from "./sample-sources.ts";

export interface DeliveryServices extends RunLog, Omit<WritingOptions, "runId"> {
  /** The files that the run may read. */
  readonly reach: Reach;
  /** The version of Weft. */
  readonly version: string;
}

export interface Delivery {
  readonly runId: string;
  readonly sources: SampleSources;
  /** The outputs as the process declares them. */
  readonly ports: readonly OutputParameter[];
  readonly placements: readonly Placement[];
}

/** Serializes changes: runs that end at the same time may extend the same dataset. */
const turns = new Gate(1);

/** The placements, with a JSON sidecar for each file that has a BIDS name and no sidecar. */
export async function withSidecars({
  placements,
  sources,
  ports,
}: Omit<Delivery, "runId">): Promise<readonly Placement[]> {
  const taken = new Set(placements.map(placeOf));
  const sidecars: Placement[] = [];
  for (const placement of placements) {
    const { dataset, sampleId, output, path, file } = placement;
    const own = path.at(-1) ?? "";
    const name = `${stemOf(own)}.json`;
    const place = placeOf({ root: placement.root, path: [...path.slice(0, -1), name] });
    if (dataset === undefined || file === undefined || taken.has(place) || !isStandard(own)) continue;
    taken.add(place);
    const { doc, label = output } = ports.find(({ id }) => id === output) ?? {};
    const from = [...new Set((sources.get(sampleId ?? "")?.files ?? []).map(bidsUri))];
    const text = `${JSON.stringify({ Description: doc?.trim() ?? label, Sources: from }, null, 2)}\n`;
    sidecars.push({ ...placedText(placement, name, text), isOptional: true });
    // One slice after the other.
    // eslint-disable-next-line no-await-in-loop
    await giveWay();
  }
  return [...placements, ...sidecars];
}

function isStandard(name: string): boolean {
  const read = readBidsName(name);
  return "fields" in read && isStandardName(read.fields);
}

function placeOf({ root, path }: Pick<Placement, "root" | "path">): string {
  return [root, ...path].join("/");
}

/** Checks all datasets before the first file is written; undefined if all can be extended. */
export async function refuseDatasets(
  { placements }: Delivery,
  services: DeliveryServices,
): Promise<PlacingFault | undefined> {
  for (const place of placesOf(placements)) {
    const found = await findDataset(place, services.sinks);
    if ("message" in found) return found;
  }
  return undefined;
}

/** Creates the folders of new datasets and describes the additions of the run, before the first file is copied. */
export async function describeDatasets(
  delivery: Delivery,
  services: DeliveryServices,
): Promise<PlacingFault | undefined> {
  const { runId, placements } = delivery;
  for (const place of placesOf(placements)) {
    const fault = await turns.pass(async () => {
      const found = await findDataset(place, services.sinks);
      if ("message" in found) return found;
      const texts = await descriptionsOf(found, { ...delivery, placements: inPlace(placements, place) }, services);
      await replaceTexts(found, texts, { runId, ...services });
      return undefined;
    });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function descriptionsOf(
  { path, sink, names, description }: FoundDataset,
  delivery: Delivery,
  services: DeliveryServices,
): Promise<Record<string, string>> {
  const { label, generators } = runGenerators(delivery.runId, {
    read: services.journal.read,
    version: services.version,
  });
  const sources = await sourcesOf(delivery, services);
  const extended = extendDescription(description, { label, generators, sources });
  const isChanged = JSON.stringify(extended) !== JSON.stringify(description);
  const ignored = await runLater(readSmallText(sink, `${path}/${IGNORE_FILE}`));
  const rules = ignoreRules(delivery.placements).filter((rule) => !(ignored ?? "").split(/\r?\n/).includes(rule));
  const start = ignored === undefined ? "" : ignored.replace(/\n?$/, "\n");
  return {
    ...(isChanged ? { [DESCRIPTION]: `${JSON.stringify(extended, null, 2)}\n` } : {}),
    ...(rules.length === 0 ? {} : { [IGNORE_FILE]: `${start}${rules.join("\n")}\n` }),
    ...(names.some((name) => /^README(\.|$)/.test(name)) ? {} : { "README.md": derivativeReadme(extended) }),
  };
}

/** Rules for `.bidsignore` that match names which are not part of BIDS, such as those of pictures, by extension. */
function ignoreRules(placements: readonly Placement[]): readonly string[] {
  const names = placements.filter(({ file }) => file?.text === undefined).map(({ path }) => path.at(-1) ?? "");
  const stems = new Set(names.filter((name) => !name.endsWith(".json")).map(stemOf));
  const rules = names.flatMap((name) => {
    const read = readBidsName(name);
    if (!("fields" in read)) return [`*${name.slice(name.indexOf("."))}`];
    const { desc, suffix, extension } = read.fields;
    // A JSON file without data would count as a sidecar.
    const isAlone = extension === ".json" && !stems.has(stemOf(name));
    if (isStandardName(read.fields) && !isAlone) return [];
    return [`*${desc === undefined ? "" : `_desc-${desc}`}_${suffix}${extension}`];
  });
  return [...new Set(["*.prov.json", ...rules])];
}

function stemOf(name: string): string {
  return name.replace(/\..*$/, "");
}

/** Adds the subjects of this run to the table of participants, with their values in the table of the source. */
export async function listParticipants(delivery: Delivery, services: DeliveryServices): Promise<void> {
  const { runId, placements } = delivery;
  for (const place of placesOf(placements)) {
    const own = inPlace(placements, place);
    const subjects = new Set(own.flatMap(({ path }) => path[place.dataset.length] ?? []));
    await turns.pass(async () => {
      const found = await findDataset(place, services.sinks);
      if ("message" in found) return;
      const texts = await participantsOf(found, { ...delivery, placements: own, subjects }, services);
      await replaceTexts(found, texts, { runId, ...services });
    });
  }
}

async function participantsOf(
  { path, sink, names }: FoundDataset,
  { subjects, ...delivery }: Delivery & { readonly subjects: ReadonlySet<string> },
  services: DeliveryServices,
): Promise<Record<string, string>> {
  const before = names.includes(PARTICIPANTS)
    ? await runLater(readSmallText(sink, `${path}/${PARTICIPANTS}`))
    : undefined;
  // A table that exists but cannot be read stays unchanged.
  if (before === undefined && names.includes(PARTICIPANTS)) return {};
  const texts: Record<string, string> = {};
  for (const address of addressesOf(delivery)) {
    const table = await readSource(address, PARTICIPANTS, services);
    const extended = extendParticipants(texts[PARTICIPANTS] ?? before, table ?? "", subjects);
    if (extended === undefined) continue;
    texts[PARTICIPANTS] = extended;
    const columns = names.includes("participants.json")
      ? undefined
      : await readSource(address, "participants.json", services);
    if (columns !== undefined) texts["participants.json"] ??= columns;
  }
  return texts;
}

async function sourcesOf(delivery: Delivery, services: DeliveryServices): Promise<readonly SourceDataset[]> {
  const found: SourceDataset[] = [];
  for (const address of addressesOf(delivery)) {
    const text = await readSource(address, DESCRIPTION, services);
    found.push({ address, description: descriptionOf(text) });
  }
  return found;
}

function descriptionOf(text = "{}"): SourceDataset["description"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * The content of a file in the source dataset; undefined if the run may not read it or the dataset is on another
 * machine.
 */
async function readSource(
  address: string,
  name: string,
  { uris, reach }: DeliveryServices,
): Promise<string | undefined> {
  const url = uris.toFile(address + name);
  return url?.startsWith("file:") === true ? runLater(readSmallText(reach, fileURLToPath(url))) : undefined;
}

function addressesOf({ placements, sources }: Delivery): readonly string[] {
  const samples = new Set(placements.map(({ sampleId }) => sampleId ?? ""));
  return [...new Set([...samples].flatMap((name) => (sources.get(name)?.files ?? []).map(({ dataset }) => dataset)))];
}

function placesOf(placements: readonly Placement[]): readonly DatasetPlace[] {
  const places = placements.flatMap(({ root, dataset }) => (dataset === undefined ? [] : [{ root, dataset }]));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function inPlace(placements: readonly Placement[], { root, dataset }: DatasetPlace): readonly Placement[] {
  return placements.filter((one) => one.root === root && one.dataset?.join("/") === dataset.join("/"));
}

/** The README of a new dataset, from its description. */
function derivativeReadme(description: Readonly<Record<string, unknown>>): string {
  const name = typeof description["Name"] === "string" ? description["Name"] : "Derivatives";
  return `# ${name}

This is a BIDS derivative dataset, written by Weft, a workflow service that runs networks of tools and records what they did.

- \`dataset_description.json\` names the networks, their versions and containers (\`GeneratedBy\`), and the datasets that the
  files were made from (\`SourceDatasets\`).
- The JSON file next to each image or table describes it (\`Description\`) and names the files that it was made from (\`Sources\`).
- \`participants.tsv\` repeats the rows of the source dataset for the subjects that have derivatives.

Later runs add files and never replace any.
`;
}

/** A file with a text, placed next to an output. */
export function placedText(of: Placement, name: string, text: string): Placement {
  const { sha1, sizeBytes } = digestOf(Buffer.from(text));
  const path = [...of.path.slice(0, -1), name];
  const file = { location: of.file?.location ?? "", text, checksum: sha1, size: sizeBytes };
  return { ...of, path, file, whole: { path, location: undefined } };
}
