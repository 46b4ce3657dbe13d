import { ExpectedError } from "../error-text.ts";

/** Thrown at the start if a sandbox is required and none works. */
export class SandboxUnusable extends ExpectedError {}
