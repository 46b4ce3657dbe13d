/** Thrown at the start if a sandbox is required and none works; the message says why and what to do. */
export class SandboxUnusable extends Error {}
