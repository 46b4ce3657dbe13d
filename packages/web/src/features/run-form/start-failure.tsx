import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { ErrorCard } from "../../ui/error-card.tsx";
import { UnknownStart } from "./use-run-requests.ts";

/** Why a run was not started or previewed. Takes the focus, and stays until the user sends another request. */
export function StartFailure({ error }: { readonly error: Error }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1}>
      {error instanceof UnknownStart ? <UnknownCard /> : <ErrorCard error={error} />}
    </div>
  );
}

function UnknownCard() {
  return (
    <div role="alert" className="card border-failed/40 p-4">
      <h2 className="text-failed">No answer from the server</h2>
      <p className="mt-1 max-w-prose">
        Nobody here knows whether the run was started. Press Start run again when the server responds: as long as you
        change nothing, this cannot start a second run. It opens the run that was started, or starts it now.
      </p>
      <p className="mt-3">
        <Link className="btn" to="/runs">
          Show all runs
        </Link>
      </p>
    </div>
  );
}
