import assert from "node:assert/strict";
import { test } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { Caller } from "../port/engine.ts";
import { createEventService } from "./event-service.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { openMemoryJournal } from "../journal/memory-journal.ts";

const ann: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "hidden" };

const started: NewEvent = {
  type: "server.started",
  run_id: null,
  actor: "engine",
  data: { version: "0.1.0", pid: 1 },
};

const bobsRun: NewEvent = {
  type: "run.created",
  run_id: "bobs",
  actor: "bob",
  data: {
    kind: "network",
    process_id: "cohort",
    process_version: null,
    process_digest: "sha256:0",
    name: "cohort",
    tags: {},
    options: {},
    document: "sha256:d",
    document_uri: "weft-data://catalog/x.cwl",
    inputs: "sha256:d",
    samples: {},
    steps: [{ step: "smooth", jobs_total: 0, jobs_total_is_final: false }],
  },
  blobs: [{ digest: "sha256:d", text: "{}" }],
};

function bobsJob(n: number): NewEvent {
  return {
    type: "job.queued",
    run_id: "bobs",
    job_id: `smooth-${n}`,
    step: "smooth",
    actor: "engine",
    data: {
      call_id: `smooth[${n}]`,
      n,
      scatter_index: [n],
      tool: { id: "smooth", version: "1.0.0", class: "CommandLineTool" },
    },
  };
}

test("among events of others, pages for one owner look at so many each and lead on to the next", async () => {
  const journal = openMemoryJournal(() => 0);
  const jobs = Array.from({ length: 24_999 }, (_, n) => bobsJob(n));
  await journal.append([started, bobsRun, ...jobs, started]);
  const events = createEventService(journal);
  const pages: string[] = [];
  let pageToken = "";
  do {
    const page = events.page(ann, { pageToken });
    pages.push(`${page.events.map(({ seq }) => seq).join(" ")} to ${page.read_to}`);
    pageToken = page.next_page_token;
  } while (pageToken !== "");
  assert.deepEqual(pages, ["1 to 10000", " to 20000", "25002 to 25002"]);
  assert.equal(events.page({ ...ann, othersRuns: "visible" }, { pageSize: 500 }).events.length, 500);
  await journal.close();
});
