import { getSystemErrorMap } from "node:util";

interface SystemError extends NodeJS.ErrnoException {
  readonly errno: number;
  readonly dest?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

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
  // The path of a descriptor says nothing, and soon leads to another file.
  return subject === undefined || subject.startsWith("/proc/self/") ? words : `${words}: ${subject}`;
}

/** Whether the machine refused something: its disk, its rights, its network. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "errno" in error && typeof error.errno === "number";
}
