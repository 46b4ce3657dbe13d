import { afterEach } from "vitest";
import { cleanup } from "vitest-browser-react";
import "../index.css";

// The browser's storage belongs to the test that filled it. A form saves its draft when it is removed.
afterEach(async () => {
  await cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
