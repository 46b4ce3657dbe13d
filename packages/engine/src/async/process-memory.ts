const forgetters: (() => void)[] = [];

/** Registers a function that clears the memory of a module, which normally lasts as long as the process. */
export function remembersUntilExit(forget: () => void): void {
  forgetters.push(forget);
}

/** Clears the memory of all modules, as the end of the process would. Only simulated processes need this. */
export function forgetAsIfRestarted(): void {
  for (const forget of forgetters) forget();
}
