/** `auto`: a sandbox if one works; `required`: the server does not start without one; `none`: never. */
export const SANDBOX_SETTINGS = ["auto", "required", "none"] as const;
export type SandboxSetting = (typeof SANDBOX_SETTINGS)[number];
