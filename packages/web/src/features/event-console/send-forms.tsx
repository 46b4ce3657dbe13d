import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { runListQuery } from "../../api/run-queries.ts";

const SUGGESTED = 50;

export interface SendFormsProps {
  readonly connected: boolean;
  readonly onSend: (text: string) => void;
}

/** A form to subscribe, and one to send any text. */
export function SendForms({ connected, onSend }: SendFormsProps) {
  return (
    <>
      <SubscribeForm connected={connected} onSend={onSend} />
      <TextForm connected={connected} onSend={onSend} />
    </>
  );
}

function SubscribeForm({ connected, onSend }: SendFormsProps) {
  const subscribe = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [runId, since] = [String(data.get("run") ?? "").trim(), String(data.get("since") ?? "").trim()];
    onSend(
      JSON.stringify({
        op: "subscribe",
        ...(runId === "" ? {} : { run_id: runId }),
        ...(since === "" ? {} : { since: Number(since) }),
      }),
    );
  };
  return (
    <form className="card space-y-3 p-4" onSubmit={subscribe}>
      <h2>Subscribe</h2>
      <label className="block">
        <span className="mb-1 block">Run ID (all if empty)</span>
        <input name="run" className="input code" list="console-runs" spellCheck={false} autoComplete="off" />
        <RecentRuns id="console-runs" />
      </label>
      <label className="block">
        <span className="mb-1 block">Start after event # (live if empty)</span>
        <input name="since" className="input" inputMode="numeric" pattern="\d*" autoComplete="off" />
      </label>
      <div className="flex gap-2">
        <button type="submit" className="btn" disabled={!connected}>
          Subscribe
        </button>
        <button type="button" className="btn" disabled={!connected} onClick={() => onSend('{"op":"unsubscribe"}')}>
          Unsubscribe
        </button>
      </div>
    </form>
  );
}

/** Suggests runs by name. */
function RecentRuns({ id }: { readonly id: string }) {
  const { data } = useQuery(runListQuery({ pageSize: SUGGESTED }));
  return (
    <datalist id={id}>
      {data?.runs.map((run) => (
        <option key={run.run_id} value={run.run_id}>
          {run.name}
        </option>
      ))}
    </datalist>
  );
}

function TextForm({ connected, onSend }: SendFormsProps) {
  const [text, setText] = useState('{"op":"ping"}');
  return (
    <form
      className="card space-y-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(text);
      }}
    >
      <label className="block">
        <span className="mb-1 block font-semibold">Send</span>
        <textarea
          className="input code"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="btn" disabled={!connected || text.trim() === ""}>
        Send
      </button>
    </form>
  );
}
