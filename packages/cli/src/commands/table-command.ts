import { writeFile } from "node:fs/promises";
import { TABLE_FORMATS, type TableFields } from "@weft/shared/records/table-record.ts";
import { EXIT } from "../exit/exit.ts";
import { alignedLines, plain } from "../output/result-text.ts";
import { serverClient } from "../server/server-client.ts";
import { oneOf, type Settings } from "../settings/read-settings.ts";

const FORMATS = [...TABLE_FORMATS, "json"] as const;

/** Prints a table of samples, which the server builds, or the fields that it can have. */
export async function tableCommand(settings: Settings): Promise<number> {
  const format = oneOf("format", settings.text("format") ?? "csv", FORMATS);
  const content = settings.isOn("list") ? await listFields(settings) : await readTable(settings, format);
  const path = settings.path("output");
  if (path !== undefined) await writeFile(path, content);
  else
    await new Promise<void>((resolve, reject) =>
      settings.io.stdout.write(content, (error) => (error ? reject(error) : resolve())),
    );
  return EXIT.success;
}

/** The other runs whose samples the table also has. */
function others([, ...ids]: readonly string[]): { readonly with?: string } {
  return ids.length === 0 ? {} : { with: ids.join(",") };
}

async function listFields(settings: Settings): Promise<string> {
  const [runId = ""] = settings.positionals;
  const { client } = serverClient(settings.knownState());
  const request = { params: { run_id: runId }, query: others(settings.positionals) };
  return fieldsText(await client("GET /api/runs/{run_id}/table/fields", request));
}

function fieldsText({ fields, examined, unread, unread_total }: TableFields): string {
  const rows = fields.map(({ id, type, filled, example }) => [
    id,
    type,
    `${filled} of ${examined}`,
    String(example ?? ""),
  ]);
  const lines = alignedLines([["FIELD", "TYPE", "SAMPLES", "EXAMPLE"], ...rows]);
  const notes = unread.map(({ name, why }) => `Not read: ${name}: ${why}`);
  const more = unread_total > unread.length ? [`and ${unread_total - unread.length} more files`] : [];
  return [...lines, ...notes, ...more].map((line) => `${plain(line)}\n`).join("");
}

function readTable(settings: Settings, format: string): Promise<Buffer> {
  const [runId = ""] = settings.positionals;
  const fields = settings.list("field").join(",");
  const query = new URLSearchParams({
    ...others(settings.positionals),
    ...(fields === "" ? {} : { fields }),
    ...(format === "json" ? { page_size: "5000" } : { format }),
  });
  const path = `/api/runs/${encodeURIComponent(runId)}/table${format === "json" ? "" : "/export"}`;
  return serverClient(settings.knownState()).send(`${path}?${query.toString()}`);
}
