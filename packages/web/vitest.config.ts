import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { LAUNCH_OPTIONS } from "@weft/tooling/suite/launch-options.ts";
import { docs } from "./docs/docs-plugin.ts";

/** Component tests (src/**\/*.page.test.tsx) render parts of the app in a browser, without a server of Weft. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [docs(), react(), tailwindcss()],
  // Found before the first test: a library that is found later reloads the page under the tests.
  optimizeDeps: {
    entries: ["src/main.tsx", "src/**/*.page.test.tsx"],
    include: ["react/jsx-dev-runtime", "vitest-browser-react", "axe-core"],
  },
  test: {
    include: ["src/**/*.page.test.tsx"],
    setupFiles: ["src/testing/component-setup.ts"],
    reporters: [["default", { summary: false }], "./test/report-components.ts"],
    allowOnly: false,
    // A selection of tests may name none of these.
    passWithNoTests: true,
    retry: 0,
    testTimeout: 20_000,
    // As in journeys; otherwise it is a second.
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 860 },
      provider: playwright({
        launchOptions: LAUNCH_OPTIONS,
        contextOptions: { reducedMotion: "reduce" },
      }),
      instances: [{ browser: "chromium" }],
    },
  },
});
