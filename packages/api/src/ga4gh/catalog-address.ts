import type { Caller } from "@weft/engine/port/caller.ts";
import type { EngineCatalog } from "@weft/engine/port/engine.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

/** A document of the catalog. Without a kind: a network or a tool; without a version: the newest. */
export interface CatalogAddress {
  readonly kind: "network" | "tool" | undefined;
  readonly id: string;
  readonly version: string | undefined;
}

const ID = "[a-z0-9][a-z0-9._-]{0,127}";
const VERSION = "[A-Za-z0-9][A-Za-z0-9._+-]{0,127}";

/** The forms, alone or below the address of this server: id, REST address, TRS address. */
const FORMS: readonly RegExp[] = [
  new RegExp(`^(?<id>${ID})$`),
  new RegExp(`^(?<kind>networks|tools):(?<id>${ID})$`),
  new RegExp(`^/api/(?<kind>networks)/(?<id>${ID})(?:\\?version=(?<version>${VERSION}))?$`),
  new RegExp(`^/api/(?<kind>tools)/(?<id>${ID})(?:/(?<version>${VERSION}))?$`),
  new RegExp(
    `^(?:/ga4gh/trs|/api/ga4gh)/v2/tools/(?:(?<kind>networks|tools)(?::|%3A))?(?<id>${ID})(?:/versions/(?<version>${VERSION})(?:/(?:PLAIN[_-])?CWL(?:/descriptor(?:/(?:%2F)?\\k<id>\\.cwl)?)?)?)?/?$`,
    "i",
  ),
];

/** The part after `trs://HOST/`, where the host is this server. */
const TRS_FORM = new RegExp(`^(?:(?<kind>networks|tools)(?::|%3A))?(?<id>${ID})(?:/(?<version>${VERSION}))?$`);

/** Reads an address of a document of this catalog; undefined for everything else. `base`: address of this server. */
export function parseCatalogAddress(text: string, base: string): CatalogAddress | undefined {
  const local = text.startsWith(`${base}/`) ? text.slice(base.length) : text;
  const own = `trs://${new URL(base).host}/`;
  const groups = text.startsWith(own)
    ? TRS_FORM.exec(text.slice(own.length))?.groups
    : FORMS.map((form) => form.exec(local)?.groups).find((found) => found !== undefined);
  if (groups?.["id"] === undefined) return undefined;
  const { kind, id, version } = groups;
  return {
    kind: kind === undefined ? undefined : kind.toLowerCase() === "networks" ? "network" : "tool",
    id,
    version: publishedVersion(version),
  };
}

/** The version's name in the catalog. Earlier releases called an unversioned network `current`. */
export function publishedVersion(version: string | undefined): string | undefined {
  if (version === "latest") return undefined;
  return version === "current" ? UNVERSIONED : version;
}

/** Splits the id of a TRS entry, whose form its route has checked. */
export function parseTrsId(trsId: string): Pick<CatalogAddress, "kind" | "id"> {
  const [, kind, id = ""] = /^(?:(networks|tools):)?(.*)$/.exec(trsId) ?? [];
  return { kind: kind === undefined ? undefined : kind === "networks" ? "network" : "tool", id };
}

/** An id that means only this kind, even if the catalog has the other kind with that id. */
export function trsAliasOf(kind: "network" | "tool", id: string): string {
  return `${kind}s:${id}`;
}

/** True if the catalog has a network with this id that the caller may see. */
export function hasNetwork(
  catalog: Pick<EngineCatalog, "getNetwork">,
  caller: Caller,
  { id, version }: Pick<CatalogAddress, "id" | "version">,
): boolean {
  try {
    catalog.getNetwork(caller, id, version);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "network-not-found") return false;
    throw error;
  }
}
