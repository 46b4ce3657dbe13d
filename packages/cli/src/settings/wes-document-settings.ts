import { WES_DOCUMENT_ROLES } from "@weft/shared/records/wes-document-record.ts";
import type { WesDocumentRole } from "@weft/shared/records/wes-document-record.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { UsageError } from "../exit/usage-error.ts";
import { hostList } from "./download-settings.ts";
import type { Settings } from "./read-settings.ts";

export interface WesDocumentSettings {
  readonly role: WesDocumentRole;
  readonly hosts: readonly string[];
}

/**
 * The role that may send documents through WES, and their allowed origins. Undefined: only documents of the catalog
 * may run. A document from outside determines which commands run, so every job must be isolated: in a container, or in
 * a sandbox that must work.
 */
export function wesDocumentSettings(
  settings: Pick<Settings, "text" | "list">,
  sandbox: SandboxSetting,
): WesDocumentSettings | undefined {
  const text = settings.text("wes-documents");
  const hosts = hostList(settings, "wes-hosts").filter((host) => host !== "none");
  if (text === undefined) {
    if (hosts.length > 0) throw new UsageError("--wes-hosts requires --wes-documents admin or author");
    return undefined;
  }
  const role = WES_DOCUMENT_ROLES.find((candidate) => candidate === text);
  if (role === undefined)
    throw new UsageError(`--wes-documents must be ${WES_DOCUMENT_ROLES.join(" or ")}, not "${text}"`);
  if (sandbox !== "required")
    throw new UsageError("--wes-documents requires --sandbox required: documents from outside must run isolated");
  return { role, hosts };
}
