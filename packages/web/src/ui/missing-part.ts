/** Detects a missing chunk: the server was updated and no longer has this version of the app. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
}
