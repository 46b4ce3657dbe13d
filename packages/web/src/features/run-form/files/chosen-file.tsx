import type { ReactNode } from "react";
import { fileName, type FileValue } from "../../../format/value-text.ts";
import { Icon } from "../../../ui/icon.tsx";
import { formatName } from "../model/file-format.ts";
import { fileAddress } from "./file-value-text.ts";

/** A selected file: its name, location and actions. */
export function ChosenFile({ file, children }: { readonly file: FileValue; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-2.5 rounded-lg border border-line bg-surface py-1 pr-1 pl-3">
      <Icon name={file.class === "File" ? "file" : "folder"} className="size-4 text-soft" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{fileName(file)}</span>
        <span className="code block truncate text-soft" title={fileAddress(file)}>
          {fileAddress(file)}
          {file.format !== undefined && ` (${formatName(file.format)})`}
        </span>
      </span>
      {children}
    </div>
  );
}
