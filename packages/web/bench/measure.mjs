// npm run bench:web [-- PART…]: the web app against its bars. Parts: sizes, violations, paint, graph, timeline, gallery, jobs,
// samples, log, memory; all of them without a name. Processor time is that of the page's main thread.
import { ensureBrowser } from "../../tooling/browser.mjs";
import { ensureBuilt, pinnedNode } from "../../tooling/build.mjs";
import { ensureInstalled } from "../../tooling/install.mjs";
import { onPinnedNode } from "../../tooling/reliability/on-pinned-node.mjs";

ensureInstalled();
onPinnedNode();
ensureBuilt();
ensureBrowser(pinnedNode());
await import("./run-parts.mjs");
