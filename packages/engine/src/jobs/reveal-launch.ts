import type { Launch } from "../executor/executor.ts";
import { holdsPlaceholder, type RunSecrets } from "../secrets/run-secrets.ts";

/** What really starts; the log records the launch with placeholders. */
export function revealLaunch(launch: Launch, secrets: RunSecrets): Launch {
  if (secrets.isEmpty) return launch;
  const env = Object.entries(launch.env).map(([name, value]) => [name, secrets.reveal(value)] as const);
  return { ...launch, argv: launch.argv.map((word) => secrets.reveal(word)), env: Object.fromEntries(env) };
}

/** Every account of the machine can read other processes' command lines. */
export function showsSecret({ argv }: Launch, secrets: RunSecrets): boolean {
  return !secrets.isEmpty && argv.some(holdsPlaceholder);
}
