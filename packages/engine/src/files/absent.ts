/** Nothing there, or a dangling link, is an answer; anything else is a broken surrounding. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ELOOP" || error.code === "EACCES")
    return undefined;
  throw error;
}
