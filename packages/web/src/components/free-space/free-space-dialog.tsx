import { useQuery } from "@tanstack/react-query";
import { RUN_PARTS, type RunPart } from "@weft/shared/records/run-parts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { Prune, PruneEntry, PruneReport } from "@weft/shared/records/storage-record.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { routeKey, useChange } from "../../api/route-query.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import ConfirmDialog from "../../ui/confirm-dialog.tsx";
import { CheckField, Select } from "../../ui/field.tsx";
import { Refusal } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useToggledSet } from "../../ui/use-toggled-set.ts";

interface FreeSpaceDialogProps {
  /** The run whose files are deleted; undefined for all finished runs. */
  readonly run: Pick<Run, "run_id" | "name"> | undefined;
  readonly onClose: () => void;
}

const USUAL_AGE_DAYS = 30;

/** Placeholder for a body if nothing is selected; never sent. */
const NOTHING: Prune = { parts: [] };

/** Entries beyond this number are only counted. */
const SHOWN = 100;

const DAY_MS = 86_400_000;

/** The parts that can be deleted: parts of runs, uploads and downloads. */
export type PruneKind = RunPart | "uploads" | "downloads";

interface PruneOffer {
  readonly kind: PruneKind;
  readonly label: string;
  readonly text: string;
}

const INTERMEDIATE: PruneOffer = {
  kind: "intermediate",
  label: "Intermediate files",
  text: "files passed between steps. Affected results can no longer be reused.",
};

/** The deletable parts of one finished run. */
const RUN_OFFERS: readonly PruneOffer[] = [
  INTERMEDIATE,
  { kind: "logs", label: "Logs", text: "standard output and standard error of all jobs" },
  { kind: "outputs", label: "Outputs", text: "result files. Their checksums stay on record." },
];

/** The parts that can be deleted on the whole server. Outputs and logs can only be deleted run by run. */
const SERVER_OFFERS: readonly PruneOffer[] = [
  INTERMEDIATE,
  { kind: "uploads", label: "Uploads", text: "uploaded files that no kept run needs" },
  { kind: "downloads", label: "Downloads", text: "copies of remote files, which can be downloaded again" },
];

/** Minimum age: since runs finished, uploads arrived, and downloads were last used. */
const AGES_DAYS = [0, 7, 30, 90, 365] as const;

/** Shows how much space can be freed before it deletes files. */
export default function FreeSpaceDialog({ run, onClose }: FreeSpaceDialogProps) {
  const [kinds, toggle] = useToggledSet<PruneKind>(() => ["intermediate"]);
  const [olderThanDays, setOlderThanDays] = useState(USUAL_AGE_DAYS);
  const body = pruneBody({ kinds, runId: run?.run_id, olderThanDays });
  // Never cached, because runs continue meanwhile.
  const request = { query: { dry_run: "true" }, body: body ?? NOTHING };
  const plan = useQuery({
    queryKey: routeKey("POST /api/prune", request),
    queryFn: async () => ({ askedMs: Date.now(), body: request.body, report: await api("POST /api/prune", request) }),
    ...{ staleTime: 0, gcTime: 0, retry: false, enabled: body !== undefined },
  });
  const removal = useChange(["GET /api/server"], remove, (report) => {
    showToast(doneText(report));
    onClose();
  });
  const planned = body === undefined ? undefined : plan.data?.report;
  const nothingToRemove = planned === undefined || planned.entries_total === planned.kept_total;
  return (
    <ConfirmDialog
      title={run === undefined ? "Free up disk space" : `Free up space: ${run.name}`}
      confirmLabel={removal.isPending ? "Deleting…" : `Delete ${formatBytes(planned?.bytes_total ?? 0)}`}
      pending={nothingToRemove || removal.isPending}
      onConfirm={() => plan.data !== undefined && removal.mutate(plan.data)}
      onClose={onClose}
    >
      <Offers offers={run === undefined ? SERVER_OFFERS : RUN_OFFERS} kinds={kinds} onToggle={toggle} />
      {run === undefined && <AgeChoice days={olderThanDays} onChange={setOlderThanDays} />}
      <PrunePreview report={planned} isChosen={body !== undefined} error={removal.error ?? plan.error} />
    </ConfirmDialog>
  );
}

/** Spares what has become old enough since the plan, and is not shown. */
const remove = ({ askedMs, body }: { readonly askedMs: number; readonly body: Prune }) =>
  api("POST /api/prune", { body: { ...body, older_than_ms: (body.older_than_ms ?? 0) + Date.now() - askedMs } });

function doneText({ bytes_total, failed_total, entries }: PruneReport): string {
  const freed = `${formatBytes(bytes_total)} freed`;
  if (failed_total === 0) return freed;
  const first = entries.find(({ outcome }) => outcome === "failed");
  return `${freed}; ${numberText(failed_total)} could not be deleted, the first: ${first?.name ?? ""}, ${first?.reason ?? ""}`;
}

interface OffersProps {
  readonly offers: readonly PruneOffer[];
  readonly kinds: ReadonlySet<PruneKind>;
  readonly onToggle: (kind: PruneKind) => void;
}

function Offers({ offers, kinds, onToggle }: OffersProps) {
  return (
    <fieldset className="space-y-2">
      <legend className="sr-only">Delete</legend>
      {offers.map(({ kind, label, text }) => (
        <CheckField
          key={kind}
          isLong
          className="max-md:min-h-11"
          checked={kinds.has(kind)}
          onCheck={() => onToggle(kind)}
        >
          <span>
            <span className="font-medium text-ink">{label}</span>: {text}
          </span>
        </CheckField>
      ))}
    </fieldset>
  );
}

const AGES = AGES_DAYS.map((id) => ({ id, label: id === 0 ? "any age" : `${id} days` }));

function AgeChoice({ days, onChange }: { readonly days: number; readonly onChange: (days: number) => void }) {
  return (
    <label className="mt-3 flex flex-wrap items-center gap-2 text-ink">
      Older than
      <Select className="w-auto" value={days} options={AGES} onChoose={onChange} />
    </label>
  );
}

interface PrunePreviewProps {
  /** The report; undefined while loading and without a selection. */
  readonly report: PruneReport | undefined;
  readonly isChosen: boolean;
  readonly error: Error | null;
}

/** The preview of a deletion, entry by entry, with the kept entries and the reasons. */
function PrunePreview({ report, isChosen, error }: PrunePreviewProps) {
  return (
    <div className="mt-3 min-h-28" aria-live="polite">
      <Refusal of={error} />
      {!isChosen && <p>Select what to delete.</p>}
      {isChosen && report === undefined && error === null && <p>Calculating…</p>}
      {report !== undefined && <Entries report={report} />}
    </div>
  );
}

function Entries({ report }: { readonly report: PruneReport }) {
  const count = report.entries_total - report.kept_total;
  if (report.entries_total === 0) return <p>Nothing to delete.</p>;
  return (
    <>
      <p className="text-ink">
        {formatBytes(report.bytes_total)} can be freed: {numberText(count)} {count === 1 ? "entry" : "entries"}
        {report.kept_total > 0 && `; ${numberText(report.kept_total)} will be kept`}.
      </p>
      <ul
        aria-label="Entries"
        tabIndex={0}
        className="mt-1.5 max-h-40 overflow-y-auto rounded-lg border border-line px-3 py-1.5"
      >
        {report.entries.slice(0, SHOWN).map((entry) => (
          <li key={`${entry.kind} ${entry.id} ${entry.part}`} className="py-0.5 wrap-anywhere">
            {entryText(entry)}
          </li>
        ))}
        {report.entries_total > SHOWN && <li className="py-0.5">and {report.entries_total - SHOWN} more</li>}
      </ul>
    </>
  );
}

function entryText({ name, part, bytes, outcome, reason }: PruneEntry): string {
  const kind = part === "intermediate" ? ["intermediate files"] : part === null ? [] : [part];
  const what = [name === "" ? "Downloads" : name, ...kind].join(", ");
  return outcome === "kept" ? `${what}: kept, ${reason ?? "in use"}` : `${what}: ${formatBytes(bytes)}`;
}

interface PruneChoice {
  readonly kinds: ReadonlySet<PruneKind>;
  /** The run to prune regardless of its age; undefined for all runs. */
  readonly runId: string | undefined;
  readonly olderThanDays: number;
}

/** The body of POST /api/prune; undefined if nothing is selected. */
export function pruneBody({ kinds, runId, olderThanDays }: PruneChoice): Prune | undefined {
  if (kinds.size === 0) return undefined;
  const parts = RUN_PARTS.filter((part) => kinds.has(part));
  if (runId !== undefined) return { run_id: runId, parts };
  return {
    parts,
    uploads: kinds.has("uploads"),
    downloads: kinds.has("downloads"),
    older_than_ms: olderThanDays * DAY_MS,
  };
}
