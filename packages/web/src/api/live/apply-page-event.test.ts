import assert from "node:assert/strict";
import { test } from "node:test";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import { applyPageEvent } from "./apply-page-event.ts";

function event(seq: number): WeftEvent {
  return partialEvent("job.running", { seq });
}

function seqs(nextPageToken: string, happened: WeftEvent): number[] {
  const data = {
    pageParams: [""],
    pages: [{ events: [event(1), event(2)], last_seq: 2, next_page_token: nextPageToken }],
  };
  return applyPageEvent(data, happened).pages.flatMap((page) => page.events.map(({ seq }) => seq));
}

test("applyPageEvent appends at the end of the log only, and once", () => {
  assert.deepEqual(seqs("", event(5)), [1, 2, 5]);
  assert.deepEqual(seqs("", event(2)), [1, 2]);
  assert.deepEqual(seqs("more", event(5)), [1, 2]);
});
