import { hash } from "node:crypto";
import type { Links } from "@weft/shared/links.ts";
import type { Network, NetworkSummary, Tool, ToolSummary } from "@weft/shared/records/process-record.ts";
import type { TrsFile, TrsTool, TrsToolClass, TrsToolFile, TrsVersion } from "@weft/shared/records/trs-record.ts";
import { UNVERSIONED } from "@weft/shared/records/process-record.ts";
import { trsIdOf } from "./catalog-address.ts";

export const TOOL_CLASSES: Readonly<Record<"network" | "tool", TrsToolClass>> = {
  network: { id: "1", name: "Workflow", description: "A network: steps and what flows between them" },
  tool: { id: "2", name: "CommandLineTool", description: "A tool: one step" },
};

type Kind = "network" | "tool";

/** One entry of the catalog in all its versions. */
export function presentTrsTool(
  kind: Kind,
  entry: NetworkSummary | ToolSummary | Network | Tool,
  links: Links,
): TrsTool {
  const id = trsIdOf(kind, entry.id);
  const url = `${links.base}/ga4gh/trs/v2/tools/${id}`;
  const image = imageOf(entry);
  const versions =
    entry.versions.length === 0 ? [{ version: UNVERSIONED, deprecated: false, digest: entry.digest }] : entry.versions;
  return {
    id,
    url,
    name: entry.label ?? entry.id,
    organization: new URL(links.base).hostname,
    toolclass: TOOL_CLASSES[kind],
    description: entry.doc ?? "",
    aliases: [],
    meta_version: entry.digest,
    has_checker: false,
    versions: versions.map((found): TrsVersion => {
      const isShown = found.version === (entry.version ?? UNVERSIONED);
      return {
        id: found.version,
        name: found.version,
        url: `${url}/versions/${encodeURIComponent(found.version)}`,
        author: [],
        is_production: !found.deprecated,
        images: isShown && image !== undefined ? [{ image_name: image, image_type: "Docker" }] : [],
        descriptor_type: ["CWL"],
        descriptor_type_version: { CWL: ["v1.2"] },
        containerfile: false,
        meta_version: found.digest,
        verified: false,
        signed: false,
      };
    }),
  };
}

/** Undefined also for an entry of a list, which does not name the image. */
function imageOf(entry: NetworkSummary | ToolSummary | Network | Tool): string | undefined {
  if (!("container" in entry)) return undefined;
  const { container } = entry;
  return typeof container === "string" ? container : container?.image;
}

/** A file of an entry: its packed document, or one of its examples. */
export interface EntryFile {
  readonly path: string;
  readonly type: TrsToolFile["file_type"];
  readonly text: string;
}

export function presentTrsFile({ path, text }: EntryFile, folderUrl: string): TrsFile {
  return { content: text, checksum: [checksumOf(text)], url: `${folderUrl}/descriptor/${path}` };
}

export function presentToolFile({ path, type, text }: EntryFile): TrsToolFile {
  return { path, file_type: type, checksum: checksumOf(text) };
}

function checksumOf(text: string): { checksum: string; type: string } {
  return { checksum: hash("sha256", text), type: "sha256" };
}
