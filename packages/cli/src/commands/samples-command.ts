import { fillInputs } from "@weft/shared/dataset/fill-inputs.ts";
import type { DatasetOfRequest, QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { Client } from "@weft/shared/routes/client.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { writeLine } from "../io/command-io.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { jsonText, tabbedLine } from "../output/result-text.ts";
import { serverClient } from "../server/server-client.ts";
import type { Settings } from "../settings/read-settings.ts";
import { readDatasetQuery } from "./read-dataset-query.ts";

interface RequestedDataset {
  readonly request: DatasetOfRequest;
  /** The network whose inputs the samples fill. */
  readonly network: string | undefined;
}

/**
 * Requests the samples of a query from the server of a state folder and prints them, or starts a run with them. Exits
 * with 1 if there are none.
 */
export async function samplesCommand(settings: Settings): Promise<number> {
  const { client } = serverClient(settings.knownState());
  const dataset = await readRequest(client, settings);
  const name = settings.text("save");
  if (name !== undefined) await save(client, settings, dataset, name);
  const destinations = readDestinations(settings);
  if (settings.isOn("start-run")) return startRun(client, settings, dataset, destinations);
  if (destinations !== undefined) throw new UsageError("--copy requires --start-run");
  const result = await samplesOf(client, dataset.request);
  settings.io.stdout.write(
    settings.isOn("inputs") ? await inputsText(client, result, dataset) : resultText(result, settings),
  );
  writeLine(settings.io, `${countText(result.samples.length, "sample")}; ${result.samples_left_out} left out`);
  return result.samples.length === 0 ? EXIT.failure : EXIT.success;
}

/** A location with conditions and columns, or the name or ID of a saved query. */
async function readRequest(client: Client, settings: Settings): Promise<RequestedDataset> {
  const [what = ""] = settings.positionals;
  const network = settings.text("network");
  if (/^(weft-data:|file:|\/)/.test(what)) return { request: { query: readDatasetQuery(what, settings) }, network };
  const { queries } = await client("GET /api/dataset-queries", {});
  const [saved, second] = queries.filter(
    (one) => one.query_id === what || (one.name === what && (network === undefined || one.network === network)),
  );
  if (second !== undefined) throw new UsageError(`several networks have a query "${what}"; set --network`);
  if (saved !== undefined) return { request: { query_id: saved.query_id }, network: network ?? saved.network };
  const names = queries.map(({ name }) => `"${name}"`).join(", ");
  throw new UsageError(
    `"${what}" is neither a location (weft-data://NAME/) nor a saved query (${names || "there are none"})`,
  );
}

function samplesOf(client: Client, { query_id: id = "", query }: DatasetOfRequest): Promise<QueryResult> {
  return query === undefined
    ? client("GET /api/dataset-queries/{query_id}/samples", { params: { query_id: id } })
    : client("POST /api/datasets/query", { body: query });
}

async function save(
  client: Client,
  { io }: Settings,
  { request: { query }, network }: RequestedDataset,
  name: string,
): Promise<void> {
  if (query === undefined) throw new UsageError("--save needs a location with a query, not a saved one");
  if (network === undefined) throw new UsageError("--save requires --network");
  const saved = await client("POST /api/dataset-queries", { body: { name, network, query } });
  writeLine(io, `saved "${saved.name}" for ${saved.network}`);
}

type Destinations = Readonly<Record<string, string>>;

/** `OUTPUT=DESTINATION` of each flag; undefined without any. */
function readDestinations(settings: Settings): Destinations | undefined {
  const entries = settings.list("copy").map((text) => {
    const [, output, destination] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (output === undefined || destination === undefined)
      throw new UsageError(`--copy ${text} is not of the form OUTPUT=DESTINATION`);
    return [output, destination] as const;
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

async function startRun(
  client: Client,
  { io }: Settings,
  { request: dataset, network }: RequestedDataset,
  destinations: Destinations | undefined,
): Promise<number> {
  if (network === undefined) throw new UsageError("--start-run requires --network");
  const body = { network, dataset, ...(destinations === undefined ? {} : { sink_data: destinations }) };
  const run = await client("POST /api/runs", { body });
  if (!("run_id" in run)) throw new Error("the server sent a plan instead of a run");
  io.stdout.write(`${run.run_id}\n`);
  writeLine(io, `started "${run.name}"`);
  return EXIT.success;
}

/** An input object for the network. */
async function inputsText(client: Client, result: QueryResult, { network }: RequestedDataset): Promise<string> {
  if (network === undefined) throw new UsageError("--inputs requires --network");
  const record = await client("GET /api/networks/{id}", { params: { id: network } });
  const { inputs, problems } = fillInputs(result, record.inputs);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(`the columns do not fit ${network}: ${problem.detail}`);
  return jsonText(inputs);
}

function resultText(result: QueryResult, settings: Settings): string {
  if (settings.isOn("json")) return jsonText(result);
  if (!settings.isOn("left-out")) return samplesTable(result);
  return result.left_out.map(({ kind, name, reason }) => tabbedLine([kind, name, reason])).join("");
}

/** A sample sheet as TSV: the name and the columns of each sample, files by their locations. */
function samplesTable({ samples }: Pick<QueryResult, "samples">): string {
  const columns = Object.keys(samples[0]?.columns ?? {});
  const rows = samples.map(({ name, columns: values }) => [name, ...columns.map((column) => cellText(values[column]))]);
  return [["sample", ...columns], ...rows].map(tabbedLine).join("");
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(";");
  if (typeof value === "object" && "location" in value) return String(value.location);
  return String(value);
}
