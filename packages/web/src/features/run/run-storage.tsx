import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { PrunedPart } from "@weft/shared/records/storage-record.ts";
import { FreeSpaceButton } from "../../components/free-space/free-space-button.tsx";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Facts, type Fact } from "../../ui/facts.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

const WORDS: Readonly<Record<RunPart, string>> = {
  outputs: "Outputs",
  intermediate: "Intermediate files",
  logs: "Logs",
};

const KEPT = {
  always: "until somebody prunes them",
  on_failure: "only if the run does not succeed",
  never: "no longer than the run",
} as const;

/** What a run takes on the disk of the server, what was removed of it, and by whom. */
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

/** A sentence where a part of a run should be that was removed. */
export function PrunedNote({ run, part }: { readonly run: Run; readonly part: RunPart }) {
  const pruned = run.pruned.find((one) => one.part === part);
  if (pruned === undefined) return null;
  return (
    <p className="text-canceled">
      {WORDS[part]} of this run were removed from the disk {byWhom(pruned)} on {formatDateTime(pruned.pruned_at)}.
    </p>
  );
}

function sizesOf({ state, storage }: Run): readonly Fact[] {
  if (storage === null)
    return [["Size", STATE_LOOKS[state].final ? "not measured yet" : "measured when the run has ended"]];
  return [
    ["All", formatBytes(storage.total_bytes)],
    [WORDS.outputs, formatBytes(storage.outputs_bytes)],
    [WORDS.intermediate, formatBytes(storage.intermediate_bytes)],
    [WORDS.logs, formatBytes(storage.logs_bytes)],
    ["Measured", formatDateTime(storage.measured_at)],
  ];
}

function prunedFact(pruned: PrunedPart): Fact {
  const bytes = pruned.bytes === null ? "being removed" : `${formatBytes(pruned.bytes)} freed`;
  return [`Removed: ${WORDS[pruned.part]}`, `${formatDateTime(pruned.pruned_at)}, ${byWhom(pruned)}, ${bytes}`];
}

function keptFact({ options }: Run): Fact {
  return ["Intermediate files are kept", KEPT[options.keep_intermediate ?? "always"]];
}

function byWhom({ pruned_by: actor }: PrunedPart): string {
  return actor === "engine" ? "as the run's options say" : `by ${actor}`;
}
