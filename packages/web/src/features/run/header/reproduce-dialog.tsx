import { useMutation } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useNavigate } from "react-router-dom";
import { api } from "../../../api/client.ts";
import { Field, Input } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";

interface ReproduceDialogProps {
  readonly run: Pick<Run, "run_id" | "name">;
  readonly onClose: () => void;
}

/** Asks for a numeric tolerance, reproduces a recorded run, and opens the new run. */
export default function ReproduceDialog({ run, onClose }: ReproduceDialogProps) {
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: (relative: number) =>
      api("POST /api/runs/{run_id}/reproduce", { params: { run_id: run.run_id }, body: { tolerance: { relative } } }),
    onSuccess: ({ run_id }) => void navigate(`/run/${run_id}`),
  });
  return (
    <FormDialog
      title={`Reproduce ${run.name}`}
      submitLabel="Run again and compare"
      pendingLabel="Starting…"
      isPending={start.isPending}
      refusal={start.error && `Could not start: ${start.error.message}`}
      onSubmit={(form) => start.mutate(Number(form.get("percent")) / 100)}
      onClose={onClose}
    >
      <p>Runs the recorded document and inputs again without the cache, then compares the outputs.</p>
      <Field label="Numeric tolerance (%)" hint="0 = exact match. Applies to CSV, TSV and JSON files and plain values.">
        <Input className="w-32" name="percent" type="number" min="0" max="100" step="any" defaultValue="0" required />
      </Field>
    </FormDialog>
  );
}
