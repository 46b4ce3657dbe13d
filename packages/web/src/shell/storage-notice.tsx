import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import { type STORAGE_PROBLEMS, PROBLEMS } from "@weft/shared/records/refusal.ts";
import { TextLink } from "../ui/text-link.tsx";

interface StorageNoticeProps {
  readonly storage: Exclude<ServerInfo["storage"], "ok">;
}

const CODES: Readonly<Record<StorageNoticeProps["storage"], (typeof STORAGE_PROBLEMS)[number]>> = {
  full: "disk-full",
  locked: "database-locked",
  "read-only": "state-read-only",
  failed: "storage-failed",
};

/** Says that no run or job can start because the log cannot be written. The page polls the state. */
export default function StorageNotice({ storage }: StorageNoticeProps) {
  const code = CODES[storage];
  return (
    <p role="status" className="border-b border-line bg-failed-soft px-4 py-1.5 text-center text-failed">
      {PROBLEMS[code].title}: no new runs or jobs can start.{" "}
      <TextLink to={`/doc/reference/problems#${code}`}>Help</TextLink>
    </p>
  );
}
