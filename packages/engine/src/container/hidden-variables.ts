import { holdsPlaceholder } from "../secrets/run-secrets.ts";

type Variables = Readonly<Record<string, string>>;

/**
 * Variables of a job that a container engine is told by name alone, because every account of the machine may read its
 * command line: it takes their values from its own environment. Where a name means something to the engine's program
 * itself, the value has to stand on the command line.
 */
export function hiddenVariables(env: Variables, clientEnv: Variables): Variables {
  const isHidden = ([name, value]: [string, string]) => holdsPlaceholder(value) && !Object.hasOwn(clientEnv, name);
  return Object.fromEntries(Object.entries(env).filter(isHidden));
}
