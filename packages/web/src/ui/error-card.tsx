import { ApiError } from "@weft/shared/routes/client.ts";
import { Link } from "react-router-dom";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icon.tsx";
import { Notice } from "./notice.tsx";

interface ErrorCardProps {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
}

/** The server's error message, with request id and a retry button. */
export function ErrorCard({ error, onRetry }: ErrorCardProps) {
  const problem = error instanceof ApiError ? error.problem : undefined;
  return (
    <Notice
      role="alert"
      tone="failed"
      title={problem?.title ?? titleOf(error)}
      actions={<ErrorActions error={error} onRetry={onRetry} />}
    >
      <p>{problem?.detail ?? detailOf(error, onRetry !== undefined)}</p>
      {problem !== undefined && problem.errors.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {problem.errors.map((entry) => (
            <li key={`${entry.pointer ?? entry.parameter ?? ""}${entry.detail}`}>{entry.detail}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function ErrorActions({ error, onRetry }: ErrorCardProps) {
  const problem = error instanceof ApiError ? error.problem : undefined;
  return (
    <>
      {onRetry !== undefined && (
        <Button onClick={onRetry}>
          <Icon name="retry" /> Retry
        </Button>
      )}
      <CopyButton text={detailsOf(error)} label="Copy details" />
      {problem !== undefined && (
        <>
          <Link className="btn btn-quiet" to={`/doc/reference/problems#${problem.code}`}>
            Help
          </Link>
          <span className="code text-soft">Request {problem.request_id}</span>
        </>
      )}
    </>
  );
}

function titleOf(error: Error): string {
  if (error instanceof ApiError) return "Request failed";
  return isMissingPart(error) || isUnreachable(error) ? "Can't reach the server" : "Something went wrong";
}

function detailOf(error: Error, retries: boolean): string {
  if (isMissingPart(error))
    return "The server is unreachable or was updated. The page reloads when the server responds; form drafts are kept.";
  return isUnreachable(error)
    ? `Check that the Weft server is running.${retries ? " This page retries automatically." : " Then try again."}`
    : error.message;
}

/** fetch rejects with a TypeError if there was no response. */
function isUnreachable(error: Error): boolean {
  return error instanceof TypeError && /fetch|network/i.test(error.message);
}

function detailsOf(error: Error): string {
  if (error instanceof ApiError && error.problem !== undefined) return JSON.stringify(error.problem, null, 2);
  return error.stack ?? error.message;
}

/** Detects a missing chunk: the server was updated and no longer has this version of the app. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
}
