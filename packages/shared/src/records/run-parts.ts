// Separate from their schemas, so that the engine's disk code need not load the schema library.

/** The files of a run on disk: its outputs, intermediate files, and the logs of its jobs. */
export const RUN_PARTS = ["outputs", "intermediate", "logs"] as const;
export type RunPart = (typeof RUN_PARTS)[number];

/** The record of a run names at most so many of its samples. */
export const MAX_RUN_SAMPLES = 1000;

/** When a run frees its intermediate files by itself. */
export const KEEP_INTERMEDIATE = ["always", "on_failure", "never"] as const;

/** The default policy after a failed job: one bad sample must not cost the results of the others. */
export const DEFAULT_FAILURE_POLICY = "continue";
