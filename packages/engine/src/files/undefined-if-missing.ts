/** Nothing can be, or is allowed to be seen, where these are the answer. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);

/** Nothing there, or a dangling link, is an answer; anything else is a broken surrounding. */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (ABSENT.has(error.code ?? "")) return undefined;
  throw error;
}
