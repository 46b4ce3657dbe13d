// Separate from their schemas, so that the web app does not load the schema library.

export const AUTOMATION_STATES = ["active", "paused", "stopped"] as const;
export type AutomationState = (typeof AUTOMATION_STATES)[number];

export const VERDICTS = ["start", "settling", "started"] as const;
/** The planned action for a sample. */
export type SampleVerdict = (typeof VERDICTS)[number];

export const HISTORY_KINDS = ["created", "started", "failed", "paused", "active", "stopped"] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];
