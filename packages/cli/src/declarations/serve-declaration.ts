import { Flag } from "../settings/flag.ts";
import {
  CATALOG,
  DATA,
  FURTHER_JOB_FLAGS,
  FURTHER_OIDC_FLAGS,
  JOB_FLAGS,
  MAIN_OIDC_FLAGS,
  STATE,
} from "../settings/flags.ts";
import type { Declaration } from "./declaration.ts";
import { addressFlags, NO_CONTROL_GROUPS } from "./listening-flags.ts";

const SERVE_FLAGS = [
  ...addressFlags(),
  CATALOG,
  STATE,
  DATA,
  new Flag("--sink <NAME=DIR>", "output destination that runs may write to", { isList: true }),
  ...JOB_FLAGS,
  NO_CONTROL_GROUPS,
  new Flag("--auth <none|token|oidc>", "how users sign in (default none: this account only)"),
  new Flag("--private-runs", "show non-admins only their own runs"),
  new Flag("--commit-published", "let authors commit published versions, if the catalog is a git work tree"),
  new Flag("--no-workbench", "turn off editing and publishing in the browser"),
  new Flag("--let-everybody-in", "no login on a public address: anyone can run commands here"),
  ...MAIN_OIDC_FLAGS,
  new Flag("--behind-proxy", "a reverse proxy on this machine provides TLS"),
];

const FURTHER_SERVE_FLAGS = [
  new Flag("--read-rate <N>", "reads per second per client (default: 200 with a login; 0: no limit)"),
  new Flag("--write-rate <N>", "writes per second per client (default: 10 with a login; 0: no limit)"),
  new Flag("--trust-proxy <ADDRESS>", "trust the X-Forwarded headers of this proxy", { isList: true }),
  new Flag("--max-open-runs <N>", "maximum number of unfinished runs (default 10000)"),
  ...FURTHER_JOB_FLAGS,
  ...FURTHER_OIDC_FLAGS,
  new Flag("--shared <DIR>", "folder shared with cluster nodes or TES workers (default: in --state)"),
  new Flag("--wes-documents <admin|author>", "the role that may run other documents through WES (default: nobody)"),
  new Flag("--wes-hosts <HOST,…>", "hosts that such documents may come from (default: none)", { isList: true }),
  new Flag("--run-name <[ID=]TEMPLATE>", "names of runs, also of one network (docs/how-to/manage-runs.md)", {
    isList: true,
  }),
  new Flag("--webhook-hosts <HOST,…>", "hosts that webhooks may be sent to (default: none)", { isList: true }),
  new Flag("--smtp-url <URL>", "mail server for notifications: smtps://USER:PASSWORD@HOST (default: none)"),
  new Flag("--mail-from <ADDRESS>", "sender of notifications"),
  new Flag("--mail-domains <DOMAIN,…>", "domains of recipients (default: that of --mail-from)", { isList: true }),
  new Flag("--peer-user <USER>", "another account that may connect without a login", { isList: true }),
  new Flag("--max-upload-bytes <N>", "maximum size of one upload (default 100 GiB)"),
];

export const SERVE: Declaration = {
  name: "serve",
  summary: "serve the web application and the API",
  description: "Serves the web application and the API, and prints the server's URL.",
  flags: SERVE_FLAGS,
  furtherFlags: FURTHER_SERVE_FLAGS,
  examples: [
    "weft serve --catalog my-catalog --data study=/data/study",
    "weft serve --auth token --host 0.0.0.0 --behind-proxy --base-url https://weft.example.org",
  ],
  documentation: "docs/how-to/operate-a-server.md",
  load: async () => (await import("../commands/serve-command.ts")).serveCommand,
};
