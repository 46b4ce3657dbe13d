// Arguments of Node for the pure tests. These share a process, because loading the sources takes most of their time, and
// pure-guard.mjs rejects everything that a pure test may not do.
const GUARD = new URL("pure-guard.mjs", import.meta.url).href;

export function pureTests(...reporters: readonly string[]): string[] {
  const flags = [`--import=${GUARD}`, "--disable-proto=delete", "--test", "--test-isolation=none"];
  return [...flags, ...reporters.map((reporter) => `--test-reporter=${reporter}`)];
}
