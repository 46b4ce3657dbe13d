/** A part of the app that its own server no longer has, because another version of it is installed now. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
}
