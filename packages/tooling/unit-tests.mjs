// How npm test and npm run check run the unit tests: arguments of Node.

/** They share a process: to load the engine again for each file would take most of their time. */
export function unitTests(reporter) {
  const flags = ["--disable-proto=delete", "--test", "--test-isolation=none", `--test-reporter=${reporter}`];
  return [...flags, "packages/*/src/**/*.test.ts", "packages/tooling/*.test.ts"];
}
