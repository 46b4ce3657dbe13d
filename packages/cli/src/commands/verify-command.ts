import { statSync } from "node:fs";
import { join } from "node:path";
import { findingText } from "@weft/engine/provenance/verify/finding.ts";
import type { Finding } from "@weft/engine/provenance/verify/finding.ts";
import { METADATA, verifyCrate } from "@weft/engine/provenance/verify/verify-crate.ts";
import type { CrateReport } from "@weft/engine/provenance/verify/verify-crate.ts";
import type { Head } from "@weft/engine/provenance/verify/verify-events.ts";
import { VerifyRefused } from "@weft/engine/provenance/verify/finding.ts";
import { verifyState } from "@weft/engine/provenance/verify/verify-state.ts";
import type { VerifyReport } from "@weft/engine/provenance/verify/verify-state.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { existing, readDataFolders } from "../settings/data-folders.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

/** Checks whether anything in a state folder or an unpacked crate changed since it was recorded: one line for each change. */
export async function verifyCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  const [path] = settings.positionals;
  const place = path ?? settings.text("state") ?? ".weft";
  try {
    const folder = settings.resolve(place);
    if (statSync(join(folder, METADATA), { throwIfNoEntry: false })?.isFile() === true)
      return reportCrate(place, await verifyCrate(folder), io);
    return report(place, await verifyPlace(folder, settings), io);
  } catch (error) {
    // Errors from the disk or SQLite (access denied, damaged) are expected, too.
    const isDiskError = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
    if (!(error instanceof VerifyRefused) && !isDiskError) throw error;
    writeLine(io, `weft: ${error.message}`);
    return EXIT.failure;
  }
}

function verifyPlace(stateFolder: string, settings: Settings): Promise<VerifyReport> {
  const catalog = settings.text("catalog");
  return verifyState({
    stateFolder,
    dataFolders: {
      ...readDataFolders(settings),
      ...(catalog === undefined ? {} : { catalog: existing("catalog", catalog, settings) }),
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

function reportCrate(place: string, { findings, events, files, metadataSha256 }: CrateReport, io: CommandIo): number {
  const exit = printFindings(place, findings, `${files} files, ${events} events`, io);
  io.stdout.write(`${METADATA} sha256 ${metadataSha256}\n`);
  return exit;
}

function report(
  place: string,
  { findings, head, documents, filesChecked, filesUnchecked }: VerifyReport,
  io: CommandIo,
): number {
  const elsewhere =
    filesUnchecked === 0 ? "" : ` (${filesUnchecked} more not checked: not on this machine, or without a checksum)`;
  const exit = printFindings(
    place,
    findings,
    `${head.seq} events, ${documents} documents, ${filesChecked} files${elsewhere}`,
    io,
  );
  io.stdout.write(`head ${head.seq}:${head.hash}\n`);
  return exit;
}

function printFindings(place: string, findings: readonly Finding[], read: string, io: CommandIo): number {
  for (const finding of findings) io.stdout.write(`${findingText(finding)}\n`);
  const verdict = findings.length === 0 ? "nothing was changed" : countText(findings.length, "finding");
  io.stdout.write(`${place}: ${read}: ${verdict}\n`);
  return findings.length === 0 ? EXIT.success : EXIT.failure;
}
