import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { shutDown, type ShutdownMode } from "../../api/shut-down.ts";
import { ErrorCard } from "../../ui/error-card.tsx";

const WORD = "shutdown";

const MODES: readonly { readonly id: ShutdownMode; readonly label: string; readonly text: string }[] = [
  { id: "drain", label: "Drain", text: "Accept no new runs, let running ones finish, then stop the server." },
  {
    id: "detach",
    label: "Detach",
    text: "Stop the server, leave jobs running; they are picked up at the next start.",
  },
  { id: "cancel", label: "Stop everything", text: "Abort all runs, then stop the server." },
];

/** Asks for the shutdown mode and a confirmation word. */
export function ShutdownForm({ onAccepted }: { readonly onAccepted: (mode: ShutdownMode) => void }) {
  const [mode, setMode] = useState<ShutdownMode>("drain");
  const [typed, setTyped] = useState("");
  const stop = useMutation({ mutationFn: () => shutDown(mode), onSuccess: () => onAccepted(mode) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    stop.mutate();
  };
  return (
    <form onSubmit={submit} className="card space-y-4 p-5">
      <ModeChoice mode={mode} onChoose={setMode} />
      <label className="block">
        <span className="mb-1 block font-semibold">Type “{WORD}” to confirm</span>
        <input
          className="input max-w-60"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {stop.error !== null && <ErrorCard error={stop.error} />}
      <button type="submit" className="btn btn-danger" disabled={typed !== WORD || stop.isPending}>
        {stop.isPending ? "Sending…" : "Shut down server"}
      </button>
    </form>
  );
}

function ModeChoice({
  mode,
  onChoose,
}: {
  readonly mode: ShutdownMode;
  readonly onChoose: (mode: ShutdownMode) => void;
}) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">What should happen to running runs?</legend>
      <div className="space-y-2">
        {MODES.map(({ id, label, text }) => (
          <label
            key={id}
            className="flex cursor-pointer gap-3 rounded-lg border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="mode"
              className="mt-1 accent-accent"
              checked={mode === id}
              onChange={() => onChoose(id)}
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
