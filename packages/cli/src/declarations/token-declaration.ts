import { Flag } from "../settings/flag.ts";
import { STATE } from "../settings/flags.ts";
import type { Declaration } from "./declaration.ts";

const load = () => import("../commands/token-command.ts");

export const TOKEN: Declaration = {
  name: "token",
  summary: "create, list and revoke access tokens",
  description: "Creates, lists and revokes access tokens. A running server applies changes immediately.",
  flags: [STATE],
  examples: ["weft token create --name alice --role runner", "weft token list --state /srv/weft"],
  documentation: "docs/how-to/operate-a-server.md",
  commands: [
    {
      name: "create",
      summary: "create a token and print it once",
      description: "Creates a token and prints it. Weft cannot show it again.",
      flags: [
        new Flag("--name <NAME>", "name of the token, and owner of its runs"),
        new Flag("--role <viewer|runner|author|admin>", "role of the token"),
        new Flag("--expires <90d|12h|never>", "lifetime of the token (default 90d)"),
      ],
      examples: [
        "weft token create --name alice --role runner",
        "weft token create --name dashboard --role viewer --expires never",
      ],
      load: async () => (await load()).createToken,
    },
    {
      name: "list",
      summary: "list tokens",
      description: "Lists the names, roles and expiry dates of all tokens.",
      examples: ["weft token list", "weft token list --state /srv/weft"],
      load: async () => (await load()).listTokens,
    },
    {
      name: "revoke",
      summary: "revoke a token",
      description: "Revokes a token and signs out every browser that used it.",
      arguments: { "<name>": "name of the token" },
      examples: ["weft token revoke alice", "weft token revoke alice --state /srv/weft"],
      load: async () => (await load()).revokeToken,
    },
  ],
};
