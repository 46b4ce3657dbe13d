import { ApiError } from "@weft/shared/routes/client.ts";
import { Link } from "react-router-dom";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icon.tsx";
import { isMissingPart } from "./missing-part.ts";

/** What went wrong, in the server's own words, with its request id and a way to try again. */
export function ErrorCard({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const problem = error instanceof ApiError ? error.problem : undefined;
  return (
    <div role="alert" className="card border-failed/40 p-4">
      <h2 className="text-failed">{problem?.title ?? titleOf(error)}</h2>
      <p className="mt-1 max-w-prose">{problem?.detail ?? detailOf(error)}</p>
      {problem !== undefined && problem.errors.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {problem.errors.map((entry) => (
            <li key={`${entry.pointer ?? entry.parameter ?? ""}${entry.detail}`}>{entry.detail}</li>
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {onRetry !== undefined && (
          <button type="button" className="btn" onClick={onRetry}>
            <Icon name="retry" /> Retry
          </button>
        )}
        <CopyButton text={detailsOf(error)} label="Copy details" />
        {problem !== undefined && (
          <>
            <Link className="btn btn-quiet" to={`/doc/reference/problems#${problem.code}`}>
              What this means
            </Link>
            <span className="code text-soft">Request {problem.request_id}</span>
          </>
        )}
      </div>
    </div>
  );
}

function titleOf(error: Error): string {
  if (error instanceof ApiError) return `The server answered ${error.status}`;
  if (isMissingPart(error)) return "A part of this page could not be loaded";
  return isUnreachable(error) ? "The server cannot be reached" : "Something went wrong here";
}

function detailOf(error: Error): string {
  if (isMissingPart(error))
    return "The server can't be reached, or it has been updated. The page reloads when the server answers; what you typed into a form is kept.";
  return isUnreachable(error)
    ? "Check that the Weft server is running. This page tries again by itself."
    : error.message;
}

/** fetch rejects with a TypeError when no answer came at all. */
function isUnreachable(error: Error): boolean {
  return error instanceof TypeError && /fetch|network/i.test(error.message);
}

function detailsOf(error: Error): string {
  if (error instanceof ApiError && error.problem !== undefined) return JSON.stringify(error.problem, null, 2);
  return error.stack ?? error.message;
}
