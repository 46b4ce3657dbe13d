import { afterEach } from "vitest";
import { cleanup } from "vitest-browser-react";
import "../index.css";

// What the browser remembers belongs to the test that made it. A form saves its draft when it is removed.
afterEach(async () => {
  await cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
