import { openLog } from "@weft/engine/app/open-log.ts";
import { pruneFolder } from "@weft/engine/retention/prune-folder.ts";
import { StateFolderBusy } from "@weft/engine/journal/state-folder-unusable.ts";
import type { Prune, PruneReport, PruneEntry } from "@weft/shared/records/storage-record.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { createLog } from "../output/log-line.ts";
import { alignedLines, jsonText, plain } from "../output/result-text.ts";
import { serverClient } from "../server/server-client.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Removes the files that ended runs left on disk, through the server that uses the folder, or directly. */
export async function pruneCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  const stateFolder = settings.knownState();
  const isDryRun = settings.isOn("dry-run") || !settings.isOn("yes");
  const body = orderOf(settings);
  io.umask(0o077);
  const asker = { actor: "local", isDryRun, nowMs: Date.now() };
  const report = await pruneFolder(stateFolder, body, { asker, log: createLog(io.stderr), openLog }).catch(
    (error: unknown) => {
      if (!(error instanceof StateFolderBusy)) throw error;
      return serverClient(stateFolder).client("POST /api/prune", { body, query: { dry_run: String(isDryRun) } });
    },
  );
  io.stdout.write(settings.isOn("json") ? jsonText(report) : pruneText(report));
  return report.failed_total > 0 ? EXIT.failure : EXIT.success;
}

function orderOf(settings: Settings): Prune {
  const runId = settings.text("run");
  const age = settings.text("older-than");
  const parts = (["intermediate", "logs", "outputs"] as const).filter(
    (part) => settings.isOn(part) || settings.isOn("all"),
  );
  if (runId === undefined && parts.some((part) => part !== "intermediate"))
    throw new UsageError("--outputs, --logs and --all require --run");
  return {
    ...(runId === undefined ? {} : { run_id: runId }),
    ...(parts.length === 0 ? {} : { parts }),
    ...(settings.isOn("uploads") ? { uploads: true } : {}),
    ...(settings.isOn("downloads") ? { downloads: true } : {}),
    ...(age === undefined ? {} : { older_than_ms: ageOf(age) }),
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function ageOf(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined)
    throw new UsageError(`--older-than must be a number with m, h, d or w, such as 30d, not "${text}"`);
  return Number(count) * unitMs;
}

const HEAD = ["WHAT", "ID", "NAME", "TIME (UTC)", "FREED"] as const;
const WIDEST_NAME = 40;

/** A report for people: a line for each entry, aligned, then the sum. */
function pruneText(report: PruneReport): string {
  const rows = report.entries.map(rowOf);
  const lines = rows.length === 0 ? [] : alignedLines([HEAD, ...rows]);
  return [...lines, ...notesOf(report)].map((line) => `${line}\n`).join("");
}

function rowOf({ kind, id, name, time, part, bytes, outcome, reason }: PruneEntry): readonly string[] {
  const what = kind === "run" ? `${part ?? ""} of a run` : kind;
  const state = outcome === "kept" ? "kept" : bytesText(bytes);
  const why = reason === null ? state : `${state}: ${reason}`;
  const shown = name.length > WIDEST_NAME ? `${name.slice(0, WIDEST_NAME - 1)}…` : name;
  return [what, id, plain(shown), time === null ? "" : time.slice(0, 16).replace("T", " "), why];
}

function notesOf(report: PruneReport): readonly string[] {
  const { entries, entries_total: total, kept_total: kept, failed_total: failed } = report;
  const more = total - entries.length;
  const sum = `${report.dry_run ? "would free" : "freed"} ${bytesText(report.bytes_total)}`;
  return [
    ...(more > 0 ? [`… and ${more} more`] : []),
    total === kept ? "nothing to remove" : sum,
    ...(kept > 0 ? [`${kept} kept, because a run that has not finished needs them`] : []),
    ...(failed > 0
      ? [`${failed} could not be removed completely; their lines give the reasons. Fix these and prune again.`]
      : []),
    ...(report.dry_run && total > kept ? ["Nothing was removed. Add --yes to remove it."] : []),
  ];
}

function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
