import { auditFolderPath } from "@weft/api/audit/audit-folder.ts";
import { checkAuditLog } from "@weft/api/audit/check-audit-log.ts";
import { writeLine } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Checks the chain of the audit log, even while its server is running. */
export async function auditCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  const folder = auditFolderPath(settings.text("state") ?? ".weft");
  const check = await checkAuditLog(settings.resolve(folder));
  switch (check.kind) {
    case "whole":
      io.stdout.write(
        `${folder}: entries ${check.first} to ${check.end.seq}, each as it was written; the last hash is ${check.end.hash}\n`,
      );
      return EXIT.success;
    case "empty":
      writeLine(io, `weft: audit log not found: ${folder}; set --state`);
      return EXIT.failure;
    case "broken":
      writeLine(io, `weft: ${folder}: the entry at ${check.place} ${check.fault}`);
      return EXIT.failure;
  }
}
