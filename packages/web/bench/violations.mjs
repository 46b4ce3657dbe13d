import { AxeBuilder } from "@axe-core/playwright";
import { heading, row } from "./report.mjs";

const PATHS = [
  "/",
  "/networks",
  "/network/imaging-cohort",
  "/network/imaging-cohort?tab=run",
  "/runs",
  "/tool/threshold/2.0.0?tab=diff",
  "/prov",
  "/websocketclient",
  "/server?tab=load",
  "/shutdown",
  "/doc",
  "/nowhere",
];

/** Accessibility and Content-Security-Policy on the main pages; the end-to-end tests look at all of them. */
export async function countViolations(browser, url) {
  heading("Violations on the main pages");
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  let [policy, foreign, access] = [0, 0, 0];
  await page.exposeFunction("benchPolicyBroken", () => (policy += 1));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", () => void globalThis.benchPolicyBroken());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) foreign += 1;
  });
  for (const path of PATHS) {
    await page.goto(url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    access += (await new AxeBuilder({ page }).analyze()).violations.length;
  }
  row("accessibility (axe)", access, { bar: 0, asserted: true });
  row("Content-Security-Policy", policy, { bar: 0, asserted: true });
  row("requests to other origins", foreign, { bar: 0, asserted: true });
  await context.close();
}
