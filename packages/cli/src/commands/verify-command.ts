import { statSync } from "node:fs";
import { join } from "node:path";
import { findingText, type Finding } from "@weft/engine/provenance/verify/finding.ts";
import { METADATA, verifyCrate } from "@weft/engine/provenance/verify/verify-crate.ts";
import type { Head } from "@weft/engine/provenance/verify/verify-events.ts";
import { verifyState } from "@weft/engine/provenance/verify/verify-state.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { existing, readDataFolders } from "../settings/data-folders.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Checks whether anything in a state folder or an unpacked crate changed since it was recorded: one line for each change. */
export async function verifyCommand(settings: Settings): Promise<number> {
  const place = settings.positionals[0] ?? settings.text("state") ?? ".weft";
  const folder = settings.resolve(place);
  const isCrate = statSync(join(folder, METADATA), { throwIfNoEntry: false })?.isFile() === true;
  const { findings, read, sum } = isCrate ? await readCrate(folder) : await readState(folder, settings);
  const { stdout } = settings.io;
  for (const finding of findings) stdout.write(`${findingText(finding)}\n`);
  const verdict = findings.length === 0 ? "nothing was changed" : countText(findings.length, "finding");
  stdout.write(`${place}: ${read}: ${verdict}\n${sum}\n`);
  return findings.length === 0 ? EXIT.success : EXIT.failure;
}

interface Verified {
  readonly findings: readonly Finding[];
  /** The amount of data that was read. */
  readonly read: string;
  /** The checksum of everything, which people may note. */
  readonly sum: string;
}

async function readCrate(folder: string): Promise<Verified> {
  const { findings, events, files, metadataSha256 } = await verifyCrate(folder);
  const read = `${countText(files, "file")}, ${countText(events, "event")}`;
  return { findings, read, sum: `${METADATA} sha256 ${metadataSha256}` };
}

async function readState(stateFolder: string, settings: Settings): Promise<Verified> {
  const catalog = existing("catalog", settings);
  const { findings, head, documents, filesChecked, filesUnchecked } = await verifyState({
    stateFolder,
    dataFolders: { ...readDataFolders(settings), ...(catalog === undefined ? {} : { catalog }) },
    expected: headOf(settings),
    withFiles: !settings.isOn("log-only"),
  });
  const elsewhere =
    filesUnchecked === 0 ? "" : ` (${filesUnchecked} more not checked: not on this machine, or without a checksum)`;
  const counts = [countText(head.seq, "event"), countText(documents, "document"), countText(filesChecked, "file")];
  const read = `${counts.join(", ")}${elsewhere}`;
  return { findings, read, sum: `head ${head.seq}:${head.hash}` };
}

function headOf(settings: Settings): Head | undefined {
  const text = settings.text("head");
  if (text === undefined) return undefined;
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UsageError(`--head must be NUMBER:HASH, as verify printed it, not "${text}"`);
  return { seq: Number(seq), hash };
}
