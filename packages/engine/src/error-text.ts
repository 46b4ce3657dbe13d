import { getSystemErrorMap } from "node:util";

interface SystemError extends NodeJS.ErrnoException {
  readonly errno: number;
  readonly dest?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** A failure of the environment or of a request, such as a missing folder or a full disk; the message says why and what to do. */
export class ExpectedError extends Error {}

/** A failure in words without the path. */
export function errorWords(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}

/** A failure in words for people: "permission denied: /data/x" instead of the names of error numbers and system calls. */
export function errorText(error: unknown): string {
  const words = errorWords(error);
  if (!isSystemError(error)) return words;
  const { path, dest, hostname, address, port } = error;
  const host = address === undefined || port === undefined ? (hostname ?? address) : `${address}:${port}`;
  const subject = dest === undefined ? (path ?? host) : `${path} to ${dest}`;
  // The path of a descriptor is meaningless to users, and soon refers to another file.
  return subject === undefined || subject.startsWith("/proc/self/") ? words : `${words}: ${subject}`;
}

/** True for an error of the operating system, such as a disk, permission or network error. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "errno" in error && typeof error.errno === "number";
}
