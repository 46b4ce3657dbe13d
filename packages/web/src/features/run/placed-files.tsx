import type { PlacedFile } from "@weft/shared/records/placed-file.ts";
import { ChecksumLink } from "../../components/checksum-link.tsx";
import { formatBytes } from "../../format/format-bytes.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

/** Maximum number of listed files: the run record has them all. */
const SHOWN = 200;

/** Files that were copied to the output destinations of the run. */
export function PlacedFiles({ files }: { readonly files: readonly PlacedFile[] }) {
  return (
    <TitledSection title="Copied to">
      {files.length === 0 ? (
        <p className="text-soft">No files were copied to the output destinations.</p>
      ) : (
        <DataTable caption="Copied files" columns={COLUMNS}>
          {files.slice(0, SHOWN).map((file) => (
            <PlacedRow key={file.uri} file={file} />
          ))}
        </DataTable>
      )}
      {files.length > SHOWN && (
        <p className="mt-2 text-soft">and {files.length - SHOWN} more, listed in the run record (Info tab).</p>
      )}
    </TitledSection>
  );
}

const COLUMNS = [
  { label: "Output" },
  { label: "Sample" },
  { label: "Destination" },
  { label: "Size", number: true },
  { label: "Details", hidden: true },
];

function PlacedRow({ file }: { readonly file: PlacedFile }) {
  return (
    <tr>
      <td data-label="Output">{file.output}</td>
      <td data-label="Sample">{file.sample_id ?? ""}</td>
      <td data-label="Destination">
        <span className="code wrap-anywhere">{file.uri}</span>{" "}
        <CopyButton text={file.uri} label="Copy path" className="btn btn-quiet btn-small" />
      </td>
      <td data-label="Size" className="number">
        {formatBytes(file.size)}
      </td>
      <td data-label="Details">
        <details>
          <summary className="cursor-pointer text-soft hover:text-ink">Checksum</summary>
          <ChecksumLink checksum={file.checksum} />
        </details>
      </td>
    </tr>
  );
}
