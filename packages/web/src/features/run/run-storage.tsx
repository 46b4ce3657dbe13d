import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { PrunedPart } from "@weft/shared/records/storage-record.ts";
import { FreeSpaceButton } from "../../components/free-space/free-space-button.tsx";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { type Fact, Facts, TitledSection } from "../../ui/titled-section.tsx";

const WORDS: Readonly<Record<RunPart, string>> = {
  outputs: "Outputs",
  intermediate: "Intermediate files",
  logs: "Logs",
};

const KEPT = {
  always: "until deleted",
  on_failure: "only if the run fails",
  never: "until the run finishes",
} as const;

/** Disk usage of a run, deleted parts, and who deleted them. */
export function RunStorage({ run }: { readonly run: Run }) {
  return (
    <TitledSection title="On disk" card aside={STATE_LOOKS[run.state].final && <FreeSpaceButton run={run} />}>
      <Facts facts={[...sizesOf(run), ...run.pruned.map(prunedFact), keptFact(run)]} />
    </TitledSection>
  );
}

export function isPruned(run: Run, part: RunPart): boolean {
  return run.pruned.some((one) => one.part === part);
}

/** The part of a run that has its results: those of a run without published outputs are files of its jobs. */
export function resultsPart(run: Run): "outputs" | "intermediate" {
  return run.outputs !== null || run.omitted?.outputs_bytes !== undefined ? "outputs" : "intermediate";
}

/** A note in place of a deleted part of a run. */
export function PrunedNote({ run, part }: { readonly run: Run; readonly part: RunPart }) {
  const pruned = run.pruned.find((one) => one.part === part);
  if (pruned === undefined) return null;
  return (
    <p className="text-canceled">
      {WORDS[part]} of this run were deleted {byWhom(pruned)} on {formatDateTime(pruned.pruned_at)}.
    </p>
  );
}

function sizesOf({ state, storage }: Run): readonly Fact[] {
  if (storage === null)
    return [["Size", STATE_LOOKS[state].final ? "not measured yet" : "available when the run finishes"]];
  return [
    ["Total", formatBytes(storage.total_bytes)],
    [WORDS.outputs, formatBytes(storage.outputs_bytes)],
    [WORDS.intermediate, formatBytes(storage.intermediate_bytes)],
    [WORDS.logs, formatBytes(storage.logs_bytes)],
    ["Measured", formatDateTime(storage.measured_at)],
  ];
}

function prunedFact(pruned: PrunedPart): Fact {
  const bytes = pruned.bytes === null ? "deleting…" : `${formatBytes(pruned.bytes)} freed`;
  return [`Deleted: ${WORDS[pruned.part]}`, `${formatDateTime(pruned.pruned_at)}, ${byWhom(pruned)}, ${bytes}`];
}

function keptFact({ options }: Run): Fact {
  return ["Intermediate files kept", KEPT[options.keep_intermediate ?? "always"]];
}

function byWhom({ pruned_by: actor }: PrunedPart): string {
  return actor === "engine" ? "automatically" : `by ${actor}`;
}
