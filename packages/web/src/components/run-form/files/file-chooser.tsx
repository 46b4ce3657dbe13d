import { type ReactNode, useState } from "react";
import { type FileValue, fileName } from "../../../format/value-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Input, Select } from "../../../ui/field.tsx";
import { FilePicker } from "../../../ui/file-picker.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import { useDrop } from "../../../ui/use-drop.ts";
import type { FieldAria } from "../fields/field-frame.tsx";
import { fileAddress, fileFromText, formatName } from "../model/file-format.ts";
import { UploadList, useUploads } from "./upload-list.tsx";

const BrowseDialog = onDemand(() => import("./browse-dialog.tsx"));

interface FileChooserProps {
  readonly kind: "File" | "Directory";
  readonly label: string;
  /** Several can be dropped or selected at once. */
  readonly multiple: boolean;
  readonly aria: FieldAria;
  readonly formats?: readonly string[] | undefined;
  readonly onChoose: (file: FileValue) => void;
}

/** Three ways to select a file: upload it, browse the server's data folders, or enter its path or URL. */
export function FileChooser(props: FileChooserProps) {
  const { kind, multiple, onChoose } = props;
  const uploads = useUploads();
  const send = (files: readonly File[]): void => uploads.start(multiple ? files : files.slice(0, 1), onChoose);
  const drop = useDrop(({ files }) => send([...files]));
  return (
    <div>
      <div
        {...(kind === "File" ? drop.handlers : {})}
        className={`flex flex-wrap items-center gap-2 rounded-lg border border-dashed p-2.5 ${drop.isOver ? "border-accent bg-accent-soft" : "border-edge bg-surface"}`}
      >
        {kind === "File" && (
          <FilePicker
            label={`Upload for ${props.label}`}
            multiple={multiple}
            icon="upload"
            text={multiple ? "Upload files…" : "Upload…"}
            onFiles={send}
          />
        )}
        <BrowseButton {...props} />
        <AddressInput {...props} />
        {kind === "File" && (
          <span className="w-full text-caption text-soft">or drop {multiple ? "files" : "a file"} here</span>
        )}
      </div>
      <UploadList uploads={uploads} />
    </div>
  );
}

function BrowseButton({ kind, label, multiple, formats, onChoose }: FileChooserProps) {
  const [browsing, setBrowsing] = useState(false);
  return (
    <>
      <Button onClick={() => setBrowsing(true)}>
        <Icon name="folder" /> Browse data folders…
      </Button>
      {browsing && (
        <BrowseDialog
          kind={kind}
          label={label}
          multiple={multiple}
          formats={formats}
          onChoose={onChoose}
          onClose={() => setBrowsing(false)}
        />
      )}
    </>
  );
}

function AddressInput({ kind, aria, onChoose }: FileChooserProps) {
  const [address, setAddress] = useState("");
  const add = (): void => {
    if (address.trim() === "") return;
    onChoose(fileFromText(kind, address));
    setAddress("");
  };
  return (
    <Input
      className="min-w-40 flex-1 basis-52"
      {...aria}
      placeholder={`or paste the path ${kind === "File" ? "or URL of a file" : "of a folder"}`}
      value={address}
      onType={setAddress}
      onBlur={add}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        add();
      }}
    />
  );
}

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

interface FormatSelectProps {
  readonly file: FileValue;
  readonly formats: readonly string[] | undefined;
  readonly onChange: (file: FileValue) => void;
}

/** Selects one of several formats of a file; renders nothing if there is no choice. */
export function FormatSelect({ file, formats, onChange }: FormatSelectProps) {
  if (file.class !== "File" || formats === undefined || formats.length < 2) return null;
  const { format = "", ...rest } = file;
  return (
    <Select
      className="w-auto max-w-48"
      aria-label={`Format of ${file.basename ?? "the file"}`}
      value={format}
      none="Format…"
      options={[...new Set([...formats, ...(format === "" ? [] : [format])])].map((id) => ({
        id,
        label: formatName(id),
      }))}
      onChoose={(chosen) => onChange(chosen === "" ? rest : { ...rest, format: chosen })}
    />
  );
}
