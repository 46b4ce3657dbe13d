import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";

/** Turns a name into an ID: `#workflow/github.com/lab/Align` becomes `align`. Undefined without a usable character. */
export function catalogId(name: string): string | undefined {
  const last = name.split(/[/:]/).findLast((part) => part !== "") ?? "";
  const id = last
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 128);
  return id === "" ? undefined : id;
}

/** A name as a version; undefined if it has no usable character or another meaning. */
export function versionName(name: string): string | undefined {
  const version = name
    .replace(/[^A-Za-z0-9._+-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 128);
  return version === "" || version === UNVERSIONED || version === "latest" ? undefined : version;
}
