import type { ForeignRun, ImportedRun, Run } from "@weft/shared/records/run-record.ts";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

/** Where, when and by whom an imported run was made, and who imported it. */
export function ImportCard({ run: { imported } }: { readonly run: Run }) {
  if (imported === undefined) return null;
  if (imported.foreign !== undefined) return <ForeignCard imported={imported} foreign={imported.foreign} />;
  return (
    <TitledSection title="Imported" card>
      <p className="mb-2">
        Imported from another server, where it ran as <span className="code wrap-anywhere">{imported.made_as}</span> by{" "}
        {imported.made_by}, <TimeAgo time={imported.made_at} />. {imported.imported_by} imported it from its crate,{" "}
        <TimeAgo time={imported.imported_at} />.
      </p>
      <p className="text-soft">
        Read-only. Use <em>Reproduce…</em> to run it here. Metadata SHA-256:{" "}
        <span className="code wrap-anywhere">{imported.crate_sha256}</span>.
      </p>
    </TitledSection>
  );
}

interface ForeignCardProps {
  readonly imported: ImportedRun;
  readonly foreign: ForeignRun;
}

/** The engine that made the run, and the facts that its crate lacks. */
function ForeignCard({ imported, foreign: { engine, language, missing } }: ForeignCardProps) {
  return (
    <TitledSection title="Imported" card>
      <p className="mb-2">
        {engine ?? "Another engine"} made this run{language === null ? "" : ` of a workflow in ${language}`}, as{" "}
        <span className="code wrap-anywhere">{imported.made_as}</span>, by {imported.made_by}. {imported.imported_by}{" "}
        imported it from its crate, <TimeAgo time={imported.imported_at} />. The metadata of the crate have the SHA-256{" "}
        <span className="code wrap-anywhere">{imported.crate_sha256}</span>.
      </p>
      <p className="text-soft mb-2">
        It shows what the crate says, and Weft cannot run it again. Command lines, logs and resources are not imported.
      </p>
      {missing.length > 0 && (
        <>
          <h3 className="mb-1 font-medium">What the crate does not say</h3>
          <ul className="text-soft list-disc pl-5">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </TitledSection>
  );
}
