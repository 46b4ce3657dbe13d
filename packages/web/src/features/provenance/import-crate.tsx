import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { sendFile } from "../../api/send-file.ts";
import { useRights } from "../../api/session-query.ts";
import { FilePicker } from "../../ui/file-picker.tsx";

/** Imports a run of another server from the zip of its crate, and opens it. */
export function ImportCrate() {
  const navigate = useNavigate();
  const [status, setStatus] = useState("");
  const { has } = useRights();
  if (!has("admin")) return null;
  const take = async (file: File): Promise<void> => {
    const path = "/api/provenance/crates";
    const tell = (fraction: number): void =>
      setStatus(fraction < 1 ? `Uploading ${file.name}: ${Math.floor(fraction * 100)} %` : `Verifying ${file.name}…`);
    tell(0);
    try {
      const run = await sendFile<Run>({ path, file, mediaType: "application/zip" }, tell).done;
      void navigate(`/run/${run.run_id}`);
    } catch (error) {
      setStatus(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <FilePicker
        label="Crate to import"
        accept=".zip,application/zip"
        icon="file"
        text="Import crate…"
        onFiles={([file]) => void take(file)}
      />
      <p aria-live="polite" className="min-w-0 flex-1 text-[0.8125rem] wrap-anywhere text-soft">
        {status === ""
          ? "Import a run of another server or engine (Workflow Run RO-Crate, .zip). Weft verifies it first."
          : status}
      </p>
    </div>
  );
}
