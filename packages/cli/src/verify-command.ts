import { findingText } from "@weft/engine/provenance/verify/finding.ts";
import type { Head } from "@weft/engine/provenance/verify/verify-events.ts";
import { VerifyRefused } from "@weft/engine/provenance/verify/verify-refused.ts";
import { verifyState } from "@weft/engine/provenance/verify/verify-state.ts";
import type { VerifyReport } from "@weft/engine/provenance/verify/verify-state.ts";
import { existing, readDataFolders } from "./data-folders.ts";
import { EXIT } from "./exit-codes.ts";
import { readSettings } from "./read-settings.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "./usage-error.ts";

const FLAGS = {
  state: { type: "string" },
  data: { type: "string", multiple: true },
  catalog: { type: "string" },
  head: { type: "string" },
  "log-only": { type: "boolean" },
} as const;

/** Tells whether anything in a state folder was changed since it was recorded: one line for each thing that was. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const settings = readSettings(args, FLAGS);
  const [given, ...more] = settings.positionals;
  if (more.length > 0) throw new UsageError("verify takes one state folder");
  const place = given ?? settings.text("state") ?? ".weft";
  try {
    return report(place, await verifyPlace(place, settings));
  } catch (error) {
    if (!(error instanceof VerifyRefused)) throw error;
    process.stderr.write(`weft: ${error.message}\n`);
    return EXIT.failure;
  }
}

function verifyPlace(place: string, settings: Settings): Promise<VerifyReport> {
  const catalog = settings.text("catalog");
  return verifyState({
    stateFolder: place,
    dataFolders: {
      ...readDataFolders(settings),
      ...(catalog === undefined ? {} : { catalog: existing("catalog", catalog) }),
    },
    expected: headOf(settings),
    withFiles: !settings.isOn("log-only"),
  });
}

function headOf(settings: Settings): Head | undefined {
  const text = settings.text("head");
  if (text === undefined) return undefined;
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UsageError(`--head must be NUMBER:HASH, as verify printed it, not "${text}"`);
  return { seq: Number(seq), hash };
}

function report(place: string, { findings, head, documents, filesChecked, filesUnchecked }: VerifyReport): number {
  for (const finding of findings) process.stdout.write(`${findingText(finding)}\n`);
  const elsewhere = filesUnchecked === 0 ? "" : ` (${filesUnchecked} more are not in the folders given)`;
  const read = `${head.seq} events, ${documents} documents, ${filesChecked} files${elsewhere}`;
  const verdict = findings.length === 0 ? "nothing was changed" : `${findings.length} found`;
  process.stdout.write(`${place}: ${read}: ${verdict}\n`);
  process.stdout.write(`head ${head.seq}:${head.hash}\n`);
  return findings.length === 0 ? EXIT.success : EXIT.failure;
}
