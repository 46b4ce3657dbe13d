import { Flag } from "../settings/flag.ts";

/** Creates new flags for a command that listens, or that checks whether it can. */
export const addressFlags = () => [
  new Flag("--host <HOST>", "listen address (default 127.0.0.1)"),
  new Flag("--port <PORT>", "listen port; 0 picks a free one (default 8080)"),
  new Flag("--base-url <URL>", "public URL of the server (default: the listen address)"),
];

export const NO_CONTROL_GROUPS = new Flag("--no-control-groups", "do not put jobs into control groups");
