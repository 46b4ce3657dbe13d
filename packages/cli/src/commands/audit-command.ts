import { auditFolderPath } from "@weft/api/audit/audit-folder.ts";
import { checkAuditLog } from "@weft/api/audit/check-audit-log.ts";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Checks the chain of the audit log; its server may be working. */
export async function auditCommand(settings: Settings): Promise<number> {
  const folder = auditFolderPath(settings.text("state") ?? ".weft");
  const check = await checkAuditLog(folder);
  switch (check.kind) {
    case "whole":
      process.stdout.write(
        `${folder}: ${check.entries} entries, ${check.first} to ${check.end.seq}, each as it was written; the last hash is ${check.end.hash}\n`,
      );
      return EXIT.success;
    case "empty":
      process.stderr.write(`weft: audit log not found: ${folder}; set --state\n`);
      return EXIT.failure;
    case "broken":
      process.stderr.write(`weft: ${folder}: the entry at ${check.place} ${check.fault}\n`);
      return EXIT.failure;
  }
}
