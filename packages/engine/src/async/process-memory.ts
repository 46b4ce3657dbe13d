const forgetters: (() => void)[] = [];

/** Registers what a module remembers for as long as the process lives. */
export function remembersUntilExit(forget: () => void): void {
  forgetters.push(forget);
}

/** Forgets what modules remember, as the end of the process would. Only a simulated process needs it. */
export function forgetAsIfRestarted(): void {
  for (const forget of forgetters) forget();
}
