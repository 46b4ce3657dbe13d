import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { PublishedFile } from "@weft/engine/port/engine.ts";
import type { Links } from "@weft/shared/links.ts";
import type { Network, NetworkSummary, Tool, ToolSummary } from "@weft/shared/records/process-record.ts";
import type { TrsFile, TrsTool, TrsToolClass, TrsToolFile, TrsVersion } from "@weft/shared/records/trs-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { trsAliasOf } from "./catalog-address.ts";

export const TOOL_CLASSES: Readonly<Record<"network" | "tool", TrsToolClass>> = {
  network: { id: "1", name: "Workflow", description: "A network: steps and what flows between them" },
  tool: { id: "2", name: "CommandLineTool", description: "A tool: one step" },
};

/** An entry with its TRS id. */
export interface NamedEntry {
  readonly kind: "network" | "tool";
  readonly entry: NetworkSummary | ToolSummary | Network | Tool;
  /** The plain id, unless a tool shares it with a network. */
  readonly trsId: string;
}

/** A catalog entry with all its versions. */
export function presentTrsTool({ kind, entry, trsId: id }: NamedEntry, links: Links): TrsTool {
  const url = `${links.base}/ga4gh/trs/v2/tools/${id}`;
  const image = imageOf(entry);
  const versions =
    entry.versions.length === 0 ? [{ version: UNVERSIONED, pinned: false, digest: entry.digest }] : entry.versions;
  return {
    id,
    url,
    name: entry.label ?? entry.id,
    organization: new URL(links.base).hostname,
    toolclass: TOOL_CLASSES[kind],
    description: entry.doc ?? "",
    aliases: [trsAliasOf(kind, entry.id)],
    meta_version: entry.digest,
    has_checker: false,
    versions: versions.map((found): TrsVersion => {
      const isShown = found.version === (entry.version ?? UNVERSIONED);
      return {
        id: found.version,
        name: found.version,
        url: `${url}/versions/${encodeURIComponent(found.version)}`,
        author: [],
        is_production: found.pinned,
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

/** The image; also undefined for an entry of a list, which does not contain it. */
function imageOf(entry: NetworkSummary | ToolSummary | Network | Tool): string | undefined {
  if (!("container" in entry)) return undefined;
  const { container } = entry;
  return typeof container === "string" ? container : container?.image;
}

const FILE_TYPES = { primary: "PRIMARY_DESCRIPTOR", helper: "OTHER", example: "TEST_FILE" } as const;

export async function presentTrsFile({ path, read }: PublishedFile, folderUrl: string): Promise<TrsFile> {
  const bytes = await read();
  const url = `${folderUrl}/descriptor/${path.split("/").map(encodeURIComponent).join("/")}`;
  return { ...(isUtf8(bytes) ? { content: bytes.toString("utf8") } : {}), checksum: [checksumOf(bytes)], url };
}

export async function presentToolFile({ path, kind, read }: PublishedFile): Promise<TrsToolFile> {
  return { path, file_type: FILE_TYPES[kind], checksum: checksumOf(await read()) };
}

function checksumOf(bytes: Buffer): { checksum: string; type: string } {
  return { checksum: hash("sha256", bytes), type: "sha-256" };
}
