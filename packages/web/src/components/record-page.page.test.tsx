import { useQuery } from "@tanstack/react-query";
import type { Session } from "@weft/shared/records/session-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { runQuery } from "../api/queries/run-queries.ts";
import { painted, refusal, renderPart, SESSION } from "../testing/render-part.tsx";
import { runRecord } from "../testing/run-record.ts";
import { RecordPage } from "./record-page.tsx";

const RUN = runRecord("r", { name: "Cohort of May" });
const LIST = { label: "Runs", to: "/runs" };

function RunName() {
  return (
    <RecordPage query={useQuery(runQuery("r"))} noun="run" name="r" list={LIST}>
      {({ name }) => <h1>{name}</h1>}
    </RecordPage>
  );
}

const title = page.getByRole("heading", { level: 1 });

test("a record that arrives before the session appears with the session", async () => {
  const [session, run] = [Promise.withResolvers<Session>(), Promise.withResolvers<typeof RUN>()];
  await renderPart(<RunName />, {
    answers: {
      "GET /api/session": async () => Response.json(await session.promise),
      "GET /api/runs/{run_id}": async () => Response.json(await run.promise),
    },
  });
  const placeholder = page.getByRole("status", { name: "Loading" });
  await expect.element(placeholder).toBeInTheDocument();
  run.resolve(RUN);
  await painted();
  await expect.element(placeholder).toBeInTheDocument();
  session.resolve(SESSION);
  await expect.element(title).toHaveTextContent("Cohort of May");
});

test("an error of the server names the request, and Retry reads the record again", async () => {
  let isBroken = true;
  const text = { title: "The server has made a mistake", detail: "It is in the server's log.", code: "internal" };
  await renderPart(<RunName />, {
    answers: {
      "GET /api/session": () => SESSION,
      "GET /api/runs/{run_id}": () => (isBroken ? refusal({ status: 500, ...text }) : RUN),
    },
  });
  const alert = page.getByRole("alert");
  await expect.element(alert).toMatchTextContent(/The server has made a mistake.*It is in the server's log.*Request r/);
  await expect.element(title).toHaveTextContent("r");
  isBroken = false;
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect.element(title).toHaveTextContent("Cohort of May");
  expect(alert.elements()).toEqual([]);
});

test("a missing record is not an error: the page names it and leads to the list", async () => {
  await renderPart(<RunName />, {
    answers: {
      "GET /api/session": () => SESSION,
      "GET /api/runs/{run_id}": () => refusal({ status: 404, detail: "It was deleted.", code: "run-not-found" }),
    },
  });
  await expect.element(title).toHaveTextContent('There is no run "r"');
  await expect.element(page.getByText("It was deleted.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Runs" })).toHaveAttribute("href", "/runs");
  expect(page.getByRole("alert").elements()).toEqual([]);
});
