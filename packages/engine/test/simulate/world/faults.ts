import type { Decisions } from "../machine/decisions.ts";

/** Probability of each fault whenever it could happen. 0: never. */
export type FaultRates = Record<keyof typeof USUAL_RATES, number>;

const PROGRAM_RATES = {
  temporary: 0.15,
  fails: 0.15,
  deaf: 0.3,
  hangs: 0.1,
};

/** Programs and the machine of the server. */
const HOST_RATES = {
  ...PROGRAM_RATES,
  lateStart: 0.2,
  lostStart: 0.1,
  doubleStart: 0.2,
  wrapperDies: 0.15,
  tornRecord: 0.1,
};

const SLURM_RATES = {
  slurmSilent: 0.2,
  slurmLostAnswer: 0.3,
  slurmBusy: 0.2,
  slurmDelayedSubmit: 0.05,
  slurmForgets: 0.15,
  slurmEmptyQueue: 0.1,
  slurmNodeFails: 0.1,
  slurmLate: 0.3,
  slurmLostCancel: 0.3,
};

const TES_RATES = {
  tesDown: 1,
  tesSilent: 0.2,
  tesLostAnswer: 0.3,
  tesLostRequest: 0.2,
  tesDelayedRequest: 0.05,
  tesForgets: 0.05,
  tesMisreports: 0.1,
  tesSystemError: 0.1,
  tesLateFiles: 0.3,
};

const SERVER_RATES = {
  kill: 1,
  powerLoss: 0.4,
  diskFull: 1,
  databaseLocked: 1,
  failedSync: 0.3,
  clockSet: 1,
};

const USUAL_RATES = { ...HOST_RATES, ...SLURM_RATES, ...TES_RATES, ...SERVER_RATES };

/** Where the jobs of most worlds run, and what fails in them: faults of one place meet each other often. */
export type Focus = "everywhere" | "host" | "slurm" | "tes";

const RATES_OF_FOCUS: Readonly<Record<Exclude<Focus, "everywhere">, object>> = {
  host: HOST_RATES,
  slurm: { ...SLURM_RATES, ...PROGRAM_RATES },
  tes: { ...TES_RATES, ...PROGRAM_RATES },
};

export function drawFocus(decisions: Decisions): Focus {
  return decisions.pick("faults.focus", ["everywhere", "host", "slurm", "tes"]);
}

/**
 * The faults of one world. Each kind is left out of most worlds: if everything fails at once, most of what could go
 * wrong is never reached.
 */
export function drawFaultRates(decisions: Decisions, focus: Focus): FaultRates {
  const names = Object.keys(USUAL_RATES) as (keyof FaultRates)[]; // of the object above
  const isHealthy = decisions.fraction("faults.healthy") < 0.1;
  return Object.fromEntries(
    names.map((name) => {
      const isIn = decisions.fraction(`faults.${name}`) < shareOf(name, focus);
      return [name, isIn && !isHealthy ? USUAL_RATES[name] : 0];
    }),
  ) as FaultRates; // all names
}

/** Fraction of worlds in which a fault may happen. */
function shareOf(name: keyof FaultRates, focus: Focus): number {
  if (name === "kill" || name === "powerLoss") return 0.5;
  if (focus === "everywhere" || name in SERVER_RATES) return 0.3;
  return name in RATES_OF_FOCUS[focus] ? 0.5 : 0;
}

/** Everything works from now on. */
export function endFaults(rates: FaultRates): void {
  for (const name of Object.keys(rates) as (keyof FaultRates)[]) rates[name] = 0; // of the type
}
