/** The placeholders of a template, with their meaning. */
export const NAME_PLACEHOLDERS = {
  network: "label of the network or tool, or else its ID",
  id: "ID of the network or tool",
  version: "its version",
  "subject count": "number of samples, or of items of the first list",
  subject: "name of the only sample, or else their number",
  owner: "who starts the run",
  date: "2026-11-23",
  time: "18:05",
} as const;

export type NamePlaceholder = keyof typeof NAME_PLACEHOLDERS;
export type NameValues = Readonly<Record<NamePlaceholder, string>>;

/** Templates of names by ID of a network or tool; "" for all others. */
export type RunNameTemplates = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** The first placeholder that no name has. */
export function unknownPlaceholder(template: string): string | undefined {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name).find((name) => !isPlaceholder(name));
}

/** The text of a template; an unknown placeholder stays as it is. */
export function fillRunName(template: string, values: NameValues): string {
  return template.replaceAll(PLACEHOLDER, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole)).trim();
}

function isPlaceholder(name: string): name is NamePlaceholder {
  return Object.hasOwn(NAME_PLACEHOLDERS, name);
}
