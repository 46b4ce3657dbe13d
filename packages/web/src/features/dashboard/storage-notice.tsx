import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import { PROBLEMS } from "@weft/shared/records/refusal.ts";
import type { STORAGE_PROBLEMS } from "@weft/shared/records/refusal.ts";
import { Link } from "react-router-dom";

const CODES: Readonly<Record<Exclude<ServerInfo["storage"], "ok">, (typeof STORAGE_PROBLEMS)[number]>> = {
  full: "disk-full",
  locked: "database-locked",
  "read-only": "state-read-only",
  failed: "storage-failed",
};

/** Why nothing new begins on this machine, while the log cannot be written. */
export function StorageNotice({ storage }: Pick<ServerInfo, "storage">) {
  if (storage === "ok") return null;
  const code = CODES[storage];
  return (
    <p role="status" className="mb-3 text-failed">
      {PROBLEMS[code].title}: nothing new begins.{" "}
      <Link className="link" to={`/doc?topic=problems#${code}`}>
        What this means
      </Link>
    </p>
  );
}
