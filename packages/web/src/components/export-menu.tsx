import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { basePath } from "../api/base-path.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";

/** The packed document of a version, as registries serve it. */
export function packedPath(kind: "tool" | "network", id: string, version: string | null): string {
  return `/ga4gh/trs/v2/tools/${kind}s:${id}/versions/${version ?? UNVERSIONED}/PLAIN_CWL/descriptor`;
}

interface ExportMenuProps {
  /** Name of the packed document. */
  readonly name: string;
  /** Path of the packed document below the server's address, if it can be packed. */
  readonly packed: string | undefined;
  /** Path of the zip with all files. */
  readonly sources: string;
  /** Path of the page to share; absent: there is none. */
  readonly page?: string;
}

/** Ways to take a tool, network or draft elsewhere. */
export function ExportMenu({ name, packed, sources, page }: ExportMenuProps) {
  const item = "link flex items-center gap-2 px-3 py-1.5 whitespace-nowrap";
  return (
    <details className="relative">
      <summary className="btn cursor-pointer list-none">
        <Icon name="download" /> Export
      </summary>
      <div className="popup absolute right-0 z-20 mt-1 py-1.5 max-sm:right-auto max-sm:left-0">
        {packed !== undefined && (
          <a className={item} href={basePath + packed} download={`${name}.cwl`}>
            Packed document
          </a>
        )}
        <a className={item} href={basePath + sources} download>
          Folder with all files (zip)
        </a>
        {page !== undefined && (
          <div className="px-3 py-1.5">
            <CopyButton label="Copy link" text={`${location.origin}${basePath}${page}`} />
          </div>
        )}
      </div>
    </details>
  );
}
