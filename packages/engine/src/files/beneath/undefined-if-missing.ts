/** Codes of errors which mean that a path does not exist or must not be visible. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);

/** A missing file or a dangling link is an expected result; any other error is a failure. */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (ABSENT.has(error.code ?? "")) return undefined;
  throw error;
}
