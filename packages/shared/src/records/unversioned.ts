/** The version of a network without versions, in requests of all APIs. */
export const UNVERSIONED = "unversioned";
