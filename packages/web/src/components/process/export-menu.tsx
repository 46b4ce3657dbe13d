import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { ApiError, readProblem } from "@weft/shared/routes/client.ts";
import type { MouseEvent } from "react";
import { basePath } from "../../api/base-path.ts";
import { watchingFetch } from "../../api/client.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DropDown } from "../../ui/drop-down.tsx";
import { Icon } from "../../ui/icon.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { showError } from "../../ui/toast.tsx";

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
  /** The path of the page to share, if there is one. */
  readonly page?: string;
  /** Calls `download` with headers when the files are ready; absent: they are at any time. */
  readonly withHeaders?: (download: (headers: Readonly<Record<string, string>>) => Promise<void>) => Promise<void>;
}

/** A menu with the ways to export a tool, network or draft. */
export function ExportMenu({ name, packed, sources, page, withHeaders }: ExportMenuProps) {
  const item = "link flex items-center gap-2 px-3 py-1.5 whitespace-nowrap";
  const download = (event: MouseEvent, path: string, file?: string): void => {
    if (withHeaders === undefined) return;
    event.preventDefault();
    withHeaders((headers) => downloadFile(path, headers, file)).catch((error: Error) =>
      showError(`Nothing was exported: ${error.message}`),
    );
  };
  return (
    <DropDown
      button={
        <>
          <Icon name="download" /> Export
        </>
      }
    >
      <div className="popup absolute right-0 z-20 mt-1 py-1.5 max-sm:right-auto max-sm:left-0">
        {packed !== undefined && (
          <a
            className={item}
            href={basePath + packed}
            download={`${name}.cwl`}
            onClick={(event) => download(event, packed, `${name}.cwl`)}
          >
            Packed document
          </a>
        )}
        <a className={item} href={basePath + sources} download onClick={(event) => download(event, sources)}>
          Folder with all files (zip)
        </a>
        {page !== undefined && (
          <div className="px-3 py-1.5">
            <CopyButton label="Copy link" text={`${location.origin}${basePath}${page}`} />
          </div>
        )}
      </div>
    </DropDown>
  );
}

/** Downloads a file, by default under the name in the server's response. Throws ApiError, whereas a link would fail silently. */
async function downloadFile(path: string, headers: Readonly<Record<string, string>>, name?: string): Promise<void> {
  const response = await watchingFetch(basePath + path, { headers });
  if (!response.ok) throw new ApiError(response.status, await readProblem(response));
  const given = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  saveFile(await response.blob(), { name: name ?? given ?? "download" });
}
