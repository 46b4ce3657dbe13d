import { DEFAULT_LIMITS, LIMIT_NAMES, leastOf, limitFlag } from "@weft/shared/limits.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

/** The limits, as changed by `--limit NAME=N`; the last value for a name wins. */
export function limitSettings(settings: Settings): Limits {
  const changes = settings.list("limit").map((text) => {
    const [, flag, value] = /^([a-z-]+)=(\d+)$/.exec(text) ?? [];
    const name = LIMIT_NAMES.find((known) => limitFlag(known) === flag);
    const least = name === undefined ? 1 : leastOf(name);
    if (name !== undefined && value !== undefined && Number(value) >= least && Number.isSafeInteger(Number(value)))
      return [name, Number(value)] as const;
    throw new UsageError(
      `--limit takes NAME=N with a whole number N of at least ${least}, not "${text}"; the names are ${LIMIT_NAMES.map(limitFlag).join(", ")}`,
    );
  });
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(changes) };
}
