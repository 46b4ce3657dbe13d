import type { PruneEntry, PruneReport } from "@weft/shared/records/storage-record.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { numberText } from "../../format/count-text.ts";

export interface PrunePreviewProps {
  /** Undefined while loading, and if nothing is selected. */
  readonly report: PruneReport | undefined;
  readonly isChosen: boolean;
  readonly error: Error | null;
}

/** Entries beyond this number are only counted. */
const SHOWN = 100;

/** The preview of a deletion, entry by entry, with the kept entries and the reasons. */
export function PrunePreview({ report, isChosen, error }: PrunePreviewProps) {
  return (
    <div className="mt-3 min-h-28" aria-live="polite">
      {error !== null && (
        <p role="alert" className="text-failed wrap-anywhere">
          {error.message}
        </p>
      )}
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
