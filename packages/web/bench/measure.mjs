// npm run bench:web [-- PART…] [--record]: the web app against its limits. Parts: sizes, paint, pages, run, cohort, draft, form,
// gallery, graph, jobs, log, memory; all of them without a name. --record puts the acceptance criteria into docs/explanation/performance.md.
// Processor time is that of the page's main thread.
import { ensureBrowser } from "../../tooling/suite/browser.mjs";
import { ensureDebianPackages } from "../../tooling/suite/debian.mjs";
import { ensureBuilt } from "../../tooling/build.mjs";
import { ensureInstalled } from "../../tooling/install.mjs";
import { onPinnedNode } from "../../tooling/reliability/on-pinned-node.mjs";

ensureInstalled();
onPinnedNode();
ensureBuilt();
await ensureDebianPackages("browser");
ensureBrowser();
await import("./run-parts.mjs");
