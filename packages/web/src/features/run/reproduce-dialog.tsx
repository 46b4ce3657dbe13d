import { useMutation } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { FormEvent } from "react";
import { useNavigate } from "react-router-dom";
import { reproduceRun } from "../../api/start-run.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { Modal } from "../../ui/modal.tsx";

/** Asks for a numeric tolerance, reproduces a recorded run, and opens the new run. */
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
      <p>Runs the recorded document and inputs again without the cache, then compares the outputs.</p>
      <label className="block">
        <span className="mb-1 block font-semibold">Numeric tolerance (%)</span>
        <Input className="w-32" name="percent" type="number" min="0" max="100" step="any" defaultValue="0" required />
        <span className="mt-1 block text-small text-soft">
          0 = exact match. Applies to CSV, TSV and JSON files and plain values.
        </span>
      </label>
      {start.error !== null && <p role="alert">Could not start: {start.error.message}</p>}
      <Button look="primary" type="submit" disabled={start.isPending}>
        {start.isPending ? "Starting…" : "Run again and compare"}
      </Button>
    </form>
  );
}
