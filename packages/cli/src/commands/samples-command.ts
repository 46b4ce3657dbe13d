import { existsSync } from "node:fs";
import { join } from "node:path";
import { fillInputs } from "@weft/shared/dataset/fill-inputs.ts";
import type { DatasetOfRequest, QueryResult, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import { askServer } from "../server/ask-server.ts";
import type { Connection } from "../server/ask-server.ts";
import { refusedByState } from "../server/refused-by-state.ts";
import type { Settings } from "../settings/read-settings.ts";
import { readDatasetQuery } from "./read-dataset-query.ts";

type Ask = <Answer>(ask: (connection: Connection) => Promise<Answer>) => Promise<Answer>;

/**
 * Requests the samples of a query from the server of a state folder and prints them, or starts a run with them. Exits
 * with 1 if there are none.
 */
export async function samplesCommand(settings: Settings): Promise<number> {
  const state = settings.stateFolder();
  if (!existsSync(join(state, "weft.db")))
    throw new UsageError(
      `${state} is not a state folder of Weft; pass its path with --state, or start the server once`,
    );
  try {
    return await act((request) => askServer(state, request), settings);
  } catch (error) {
    return refusedByState(error, settings.io);
  }
}

async function act(ask: Ask, settings: Settings): Promise<number> {
  const { request, saved } = await readRequest(ask, settings);
  const network = settings.text("network") ?? saved?.network;
  const name = settings.text("save");
  if (name !== undefined) await save(ask, settings.io, { request, name, network });
  const destinations = readDestinations(settings);
  if (settings.isOn("start-run")) return startRun(ask, settings.io, { request, network, destinations });
  if (destinations !== undefined) throw new UsageError("--copy requires --start-run");
  const result = await samplesOf(ask, request);
  settings.io.stdout.write(
    settings.isOn("inputs") ? await inputsText(ask, { result, network }) : resultText(result, settings),
  );
  writeLine(settings.io, `${result.samples.length} samples; ${result.samples_left_out} left out`);
  return result.samples.length === 0 ? EXIT.failure : EXIT.success;
}

interface RequestedDataset {
  readonly request: DatasetOfRequest;
  readonly saved?: SavedDatasetQuery | undefined;
}

/** A location with conditions and columns, or the name or ID of a saved query. */
async function readRequest(ask: Ask, settings: Settings): Promise<RequestedDataset> {
  const [what = ""] = settings.positionals;
  if (/^(weft-data:|file:|\/)/.test(what)) return { request: { query: readDatasetQuery(what, settings) } };
  const { queries } = await ask(({ client, headers }) => client("GET /api/dataset-queries", { headers }));
  const network = settings.text("network");
  const [saved, second] = queries.filter(
    (one) => one.query_id === what || (one.name === what && (network === undefined || one.network === network)),
  );
  if (second !== undefined) throw new UsageError(`several networks have a query "${what}"; set --network`);
  if (saved !== undefined) return { request: { query_id: saved.query_id }, saved };
  const names = queries.map(({ name }) => `"${name}"`).join(", ");
  throw new UsageError(
    `"${what}" is neither a location (weft-data://NAME/) nor a saved query (${names || "there are none"})`,
  );
}

function samplesOf(ask: Ask, { query_id: id = "", query }: DatasetOfRequest): Promise<QueryResult> {
  return ask(({ client, headers }) =>
    query === undefined
      ? client("GET /api/dataset-queries/{query_id}/samples", { params: { query_id: id }, headers })
      : client("POST /api/datasets/query", { body: query, headers }),
  );
}

interface Target {
  readonly network: string | undefined;
}

async function save(
  ask: Ask,
  io: CommandIo,
  { request: { query }, name, network }: Target & { readonly request: DatasetOfRequest; readonly name: string },
): Promise<void> {
  if (query === undefined) throw new UsageError("--save needs a location with a query, not a saved one");
  if (network === undefined) throw new UsageError("--save requires --network");
  const body = { name, network, query };
  const saved = await ask(({ client, headers }) => client("POST /api/dataset-queries", { body, headers }));
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

interface StartRequest extends Target {
  readonly request: DatasetOfRequest;
  readonly destinations: Destinations | undefined;
}

async function startRun(
  ask: Ask,
  io: CommandIo,
  { request: dataset, network, destinations }: StartRequest,
): Promise<number> {
  if (network === undefined) throw new UsageError("--start-run requires --network");
  const body = { network, dataset, ...(destinations === undefined ? {} : { sink_data: destinations }) };
  const run = await ask(({ client, headers }) => client("POST /api/runs", { body, headers }));
  if (!("run_id" in run)) throw new Error("the server sent a plan instead of a run");
  io.stdout.write(`${run.run_id}\n`);
  writeLine(io, `started "${run.name}"`);
  return EXIT.success;
}

/** An input object for the network. */
async function inputsText(ask: Ask, { result, network }: Target & { readonly result: QueryResult }): Promise<string> {
  if (network === undefined) throw new UsageError("--inputs requires --network");
  const record = await ask(({ client, headers }) =>
    client("GET /api/networks/{id}", { params: { id: network }, headers }),
  );
  const { inputs, problems } = fillInputs(result, record.inputs);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(`the columns do not fit ${network}: ${problem.detail}`);
  return `${JSON.stringify(inputs, null, 2)}\n`;
}

function resultText(result: QueryResult, settings: Settings): string {
  if (settings.isOn("json")) return `${JSON.stringify(result, null, 2)}\n`;
  if (!settings.isOn("left-out")) return samplesTable(result);
  return result.left_out.map(({ kind, name, reason }) => `${kind}\t${name}\t${reason}\n`).join("");
}

/** A sample sheet as TSV: the name and the columns of each sample, files by their locations. */
function samplesTable({ samples }: Pick<QueryResult, "samples">): string {
  const columns = Object.keys(samples[0]?.columns ?? {});
  const lines = samples.map(({ name, columns: values }) => [
    name,
    ...columns.map((column) => cellText(values[column])),
  ]);
  return [["sample", ...columns], ...lines].map((cells) => `${cells.map(plain).join("\t")}\n`).join("");
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(";");
  if (typeof value === "object" && "location" in value) return String(value.location);
  return String(value);
}

/** Replaces tabs and line breaks, which a file name may contain. */
function plain(text: string): string {
  return text.replaceAll(/[\t\r\n]/g, " ");
}
