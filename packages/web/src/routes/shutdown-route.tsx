import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, serverAnswers } from "../api/client.ts";
import { runListQuery } from "../api/queries/run-queries.ts";
import { RoleGate } from "../components/role-gate.tsx";
import { RunTable } from "../components/run-list/run-table.tsx";
import { countText } from "@weft/shared/text/count-text.ts";
import { OPEN_STATES } from "../format/state-look.ts";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { Field, Input, Radio } from "../ui/field.tsx";
import { PlainForm } from "../ui/form.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Notice } from "../ui/notice.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const WORD = "shutdown";

const MODES = [
  { id: "drain", label: "Drain", text: "Accept no new runs, let running ones finish, then stop the server." },
  { id: "detach", label: "Detach", text: "Stop the server and leave jobs running; the next start reattaches to them." },
  { id: "cancel", label: "Stop everything", text: "Abort all runs, then stop the server." },
] as const;
type ShutdownMode = (typeof MODES)[number]["id"];

const POLL_MS = 2000;

const OPEN_RUNS = { state: OPEN_STATES.join(","), page_size: 50 };

/** `/shutdown`: asks for confirmation. Opening this page does not stop the server. */
export default function ShutdownRoute() {
  const [accepted, setAccepted] = useState<ShutdownMode | undefined>(undefined);
  const [page] = useSearchParam("page");
  const open = useQuery(runListQuery({ ...OPEN_RUNS, page_token: page }));
  return (
    <div className="max-w-5xl">
      <PageHeading title="Shut down" />
      {accepted === undefined ? (
        <div className="space-y-5">
          <TitledSection title="Runs in progress">
            <QueryView query={open} rows={1}>
              {(data) =>
                data.runs.length === 0 ? (
                  <Notice>None.</Notice>
                ) : (
                  <>
                    <RunTable runs={data.runs} caption="Runs in progress" />
                    <Pager
                      nextPageToken={data.next_page_token}
                      shown={data.runs.length}
                      total={data.total}
                      noun="run"
                    />
                  </>
                )
              }
            </QueryView>
          </TitledSection>
          <RoleGate needs="admin" what="Shutting the server down">
            <ShutdownForm onAccepted={setAccepted} />
          </RoleGate>
        </div>
      ) : (
        <ShutdownWatch mode={accepted} />
      )}
    </div>
  );
}

/** Asks for the shutdown mode and a confirmation word. */
function ShutdownForm({ onAccepted }: { readonly onAccepted: (mode: ShutdownMode) => void }) {
  const [mode, setMode] = useState<ShutdownMode>("drain");
  const [typed, setTyped] = useState("");
  const stop = useMutation({
    mutationFn: () => api("POST /shutdown", { body: { mode, confirm: WORD } }),
    onSuccess: () => onAccepted(mode),
  });
  return (
    <PlainForm onSubmit={() => stop.mutate()} className="card space-y-4 p-5">
      <ModeChoice mode={mode} onChoose={setMode} />
      <Field label={<>Type "{WORD}" to confirm</>}>
        <Input className="max-w-60" value={typed} autoComplete="off" spellCheck={false} onType={setTyped} />
      </Field>
      {stop.error !== null && <ErrorCard error={stop.error} />}
      <Button look="danger" type="submit" disabled={typed !== WORD || stop.isPending}>
        {stop.isPending ? "Sending…" : "Shut down server"}
      </Button>
    </PlainForm>
  );
}

interface ModeChoiceProps {
  readonly mode: ShutdownMode;
  readonly onChoose: (mode: ShutdownMode) => void;
}

function ModeChoice({ mode, onChoose }: ModeChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">What should happen to running runs?</legend>
      <div className="space-y-2">
        {MODES.map(({ id, label, text }) => (
          <label
            key={id}
            className="flex cursor-pointer gap-3 rounded-lg border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <Radio className="mt-1" name="mode" checked={mode === id} onChange={() => onChoose(id)} />
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

/** Waits until the server has stopped, and until it has started again. */
function ShutdownWatch({ mode }: { readonly mode: ShutdownMode }) {
  const alive = useQuery({
    queryKey: ["server-answers"],
    queryFn: async () => ({ isUp: await serverAnswers() }),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  });
  const [hasStopped, setStopped] = useState(false);
  if (alive.data?.isUp === false && !hasStopped) setStopped(true);
  const open = useQuery({ ...runListQuery(OPEN_RUNS), enabled: alive.data?.isUp === true });
  const count = open.data?.total ?? 0;
  return (
    <div role="status" className="card p-5">
      {hasStopped ? (
        <>
          <h2>{alive.data?.isUp === true ? "The server has started again." : "The server has stopped."}</h2>
          {alive.data?.isUp !== true && (
            <p className="mt-1 text-soft">Start it again with "weft serve" or "npm start", then reload this page.</p>
          )}
          <Button className="mt-3" onClick={() => location.reload()}>
            Reload
          </Button>
        </>
      ) : (
        <>
          <h2>{mode === "drain" ? "Draining" : "Stopping"}…</h2>
          <p className="mt-1 text-soft">{openText(mode, count)}</p>
        </>
      )}
    </div>
  );
}

function openText(mode: ShutdownMode, count: number): string {
  if (count === 0) return "No runs in progress.";
  if (mode === "detach") return `${countText(count, "run")} will continue without the server.`;
  return `${countText(count, "run")} in progress.`;
}
