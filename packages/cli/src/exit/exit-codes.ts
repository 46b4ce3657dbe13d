/** What the command ends with, as CWL runners do (and sysexits.h for the server). */
export const EXIT = {
  success: 0,
  failure: 1,
  usage: 2,
  /** Nothing was run that could be compared. */
  notTried: 3,
  unsupported: 33,
  software: 70,
  disk: 74,
  configuration: 78,
  interrupted: 130,
} as const;
