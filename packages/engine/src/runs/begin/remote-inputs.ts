import type { CwlObject, FileValue } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { filesOf } from "../../values/map-files.ts";
import { isRemote } from "../../files/remote/remote-url.ts";

export type RemoteFile = FileValue & { readonly location: string };

/**
 * The remote Files that a process would read with these values: those in the values, and those in defaults that apply.
 */
export function remoteInputs(values: CwlObject, { inputs }: Pick<Process, "inputs">): readonly RemoteFile[] {
  const effective = inputs.map(({ id, default: value }) => [
    id,
    (Object.hasOwn(values, id) ? values[id] : null) ?? value ?? null,
  ]);
  return filesOf(Object.fromEntries(effective) as CwlObject).flatMap(({ file }) => (isRemoteFile(file) ? [file] : []));
}

function isRemoteFile(file: { readonly class: string; readonly location?: string }): file is RemoteFile {
  return file.class === "File" && file.location !== undefined && isRemote(file.location);
}
