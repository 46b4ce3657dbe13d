import type { Run } from "@weft/shared/records/run-record.ts";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

/** Where, when and by whom an imported run was made, and who imported it. */
export function ImportCard({ run: { imported } }: { readonly run: Run }) {
  if (imported === undefined) return null;
  return (
    <TitledSection title="Imported" card>
      <p className="mb-2">
        This run was made on another server, as <span className="code wrap-anywhere">{imported.made_as}</span> by{" "}
        {imported.made_by}, <TimeAgo time={imported.made_at} />. {imported.imported_by} imported it from its crate,{" "}
        <TimeAgo time={imported.imported_at} />.
      </p>
      <p className="text-soft">
        It is as it was recorded there and cannot be retried; <em>Reproduce…</em> runs it again here and compares. The
        crate&apos;s metadata have the SHA-256 <span className="code wrap-anywhere">{imported.crate_sha256}</span>.
      </p>
    </TitledSection>
  );
}
