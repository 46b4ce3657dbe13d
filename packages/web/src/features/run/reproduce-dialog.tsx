import { useMutation } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { FormEvent } from "react";
import { useNavigate } from "react-router-dom";
import { reproduceRun } from "../../api/start-run.ts";
import { Modal } from "../../ui/modal.tsx";

/** Runs again what the log says that was run, after asking how far numbers may be apart, and goes to the new run. */
export default function ReproduceDialog({
  run,
  onClose,
}: {
  readonly run: Pick<Run, "run_id" | "name">;
  readonly onClose: () => void;
}) {
  return (
    <Modal title={`Reproduce ${run.name}`} onClose={onClose}>
      <ReproduceForm run={run} />
    </Modal>
  );
}

function ReproduceForm({ run }: { readonly run: Pick<Run, "run_id"> }) {
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: (relative: number) => reproduceRun(run.run_id, { tolerance: { relative } }),
    onSuccess: ({ run_id }) => void navigate(`/run/${run_id}`),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    start.mutate(Number(new FormData(event.currentTarget).get("percent")) / 100);
  };
  return (
    <form className="space-y-4" onSubmit={submit}>
      <p>
        The document and the inputs that were recorded run again, with the same options and without taking over any
        result. When the new run has ended, its outputs are compared with those of this one.
      </p>
      <label className="block">
        <span className="mb-1 block font-semibold">Numbers may differ by (percent)</span>
        <input
          name="percent"
          type="number"
          className="input w-32"
          min="0"
          max="100"
          step="any"
          defaultValue="0"
          required
        />
        <span className="mt-1 block text-[0.8125rem] text-soft">
          In CSV, TSV and JSON files and in plain values. At 0 everything must be the same.
        </span>
      </label>
      {start.error !== null && <p role="alert">It could not be started: {start.error.message}</p>}
      <button type="submit" className="btn btn-primary" disabled={start.isPending}>
        {start.isPending ? "Starting…" : "Run it again and compare"}
      </button>
    </form>
  );
}
