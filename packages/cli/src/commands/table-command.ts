import { writeFile } from "node:fs/promises";
import { TABLE_FORMATS } from "@weft/shared/records/table-record.ts";
import type { TableFields } from "@weft/shared/records/table-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import type { Problem } from "@weft/shared/records/problem.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import { askServer, patientFetch } from "../server/ask-server.ts";
import type { Connection } from "../server/ask-server.ts";
import { refusedByState } from "../server/refused-by-state.ts";
import type { Settings } from "../settings/read-settings.ts";

interface TableRequest {
  readonly runId: string;
  readonly query: Readonly<Record<string, string>>;
}

const FORMATS = [...TABLE_FORMATS, "json"] as const;
type Format = (typeof FORMATS)[number];

/** Prints a table of samples, which the server builds. */
export async function tableCommand(settings: Settings): Promise<number> {
  const [runId = "", ...others] = settings.positionals;
  const fields = settings.list("field").join(",");
  const format = formatOf(settings.text("format"));
  const query = { ...(others.length > 0 ? { with: others.join(",") } : {}), ...(fields === "" ? {} : { fields }) };
  try {
    const content = await askServer(settings.stateFolder(), (connection) =>
      settings.isOn("list")
        ? listFields(connection, { runId, query })
        : readTable(connection, { runId, query }, format),
    );
    await deliver(content, settings);
    return EXIT.success;
  } catch (error) {
    return refusedByState(error, settings.io);
  }
}

function formatOf(text = "csv"): Format {
  const format = FORMATS.find((name) => name === text);
  if (format === undefined) throw new UsageError(`--format must be ${FORMATS.join(", ")}, not "${text}"`);
  return format;
}

async function deliver(content: Uint8Array, settings: Settings): Promise<void> {
  const path = settings.path("output");
  if (path !== undefined) return writeFile(path, content);
  await new Promise<void>((resolve, reject) =>
    settings.io.stdout.write(content, (error) => (error ? reject(error) : resolve())),
  );
}

async function listFields({ client, headers }: Connection, { runId, query }: TableRequest): Promise<Uint8Array> {
  const params = { run_id: runId };
  const found = await client("GET /api/runs/{run_id}/table/fields", {
    params,
    headers,
    query: { with: query["with"] },
  });
  return new TextEncoder().encode(fieldsText(found));
}

function fieldsText({ fields, examined, unread, unread_total }: TableFields): string {
  const rows = fields.map(({ id, type, filled, example }) => [
    id,
    type,
    `${filled} of ${examined}`,
    String(example ?? ""),
  ]);
  const table = [["FIELD", "TYPE", "SAMPLES", "EXAMPLE"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const notes = unread.map(({ name, why }) => `Not read: ${name}: ${why}`);
  const more = unread_total > unread.length ? [`and ${unread_total - unread.length} more files`] : [];
  return [...lines, ...notes, ...more].map((line) => `${plain(line)}\n`).join("");
}

/** Replaces control characters, which a file name may contain. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "?");
}

async function readTable(connection: Connection, { runId, query }: TableRequest, format: Format): Promise<Uint8Array> {
  const { address, headers } = connection;
  const path = `/api/runs/${encodeURIComponent(runId)}/table`;
  const search = new URLSearchParams(format === "json" ? { ...query, page_size: "5000" } : { ...query, format });
  const response = await patientFetch(`${address}${path}${format === "json" ? "" : "/export"}?${search.toString()}`, {
    headers,
  });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  // The API returns a problem unless it succeeds.
  throw new ApiError(response.status, (await response.json().catch(() => undefined)) as Problem | undefined);
}
