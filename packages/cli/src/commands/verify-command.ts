import { statSync } from "node:fs";
import { join } from "node:path";
import { findingText } from "@weft/engine/provenance/verify/finding.ts";
import type { Finding } from "@weft/engine/provenance/verify/finding.ts";
import { METADATA, verifyCrate } from "@weft/engine/provenance/verify/verify-crate.ts";
import type { CrateReport } from "@weft/engine/provenance/verify/verify-crate.ts";
import type { Head } from "@weft/engine/provenance/verify/verify-events.ts";
import { VerifyRefused } from "@weft/engine/provenance/verify/verify-refused.ts";
import { verifyState } from "@weft/engine/provenance/verify/verify-state.ts";
import type { VerifyReport } from "@weft/engine/provenance/verify/verify-state.ts";
import { existing, readDataFolders } from "../settings/data-folders.ts";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

/** Tells whether anything in a state folder or an unpacked crate was changed since it was recorded: one line for each thing that was. */
export async function verifyCommand(settings: Settings): Promise<number> {
  const [given] = settings.positionals;
  const place = given ?? settings.text("state") ?? ".weft";
  try {
    if (statSync(join(place, METADATA), { throwIfNoEntry: false })?.isFile() === true)
      return reportCrate(place, await verifyCrate(place));
    return report(place, await verifyPlace(place, settings));
  } catch (error) {
    // What the disk or SQLite says (not allowed, damaged) is an answer as well.
    const isOfTheDisk = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
    if (!(error instanceof VerifyRefused) && !isOfTheDisk) throw error;
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

function reportCrate(place: string, { findings, events, files, metadataSha256 }: CrateReport): number {
  const exit = tell(place, findings, `${files} files, ${events} events`);
  process.stdout.write(`${METADATA} sha256 ${metadataSha256}\n`);
  return exit;
}

function report(place: string, { findings, head, documents, filesChecked, filesUnchecked }: VerifyReport): number {
  const elsewhere = filesUnchecked === 0 ? "" : ` (${filesUnchecked} more are not in the folders given)`;
  const exit = tell(place, findings, `${head.seq} events, ${documents} documents, ${filesChecked} files${elsewhere}`);
  process.stdout.write(`head ${head.seq}:${head.hash}\n`);
  return exit;
}

function tell(place: string, findings: readonly Finding[], read: string): number {
  for (const finding of findings) process.stdout.write(`${findingText(finding)}\n`);
  const verdict = findings.length === 0 ? "nothing was changed" : `${findings.length} found`;
  process.stdout.write(`${place}: ${read}: ${verdict}\n`);
  return findings.length === 0 ? EXIT.success : EXIT.failure;
}
