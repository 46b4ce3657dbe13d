import { createRoot } from "react-dom/client";
import { SignInPage } from "./sign-in-page.tsx";

let isShown = false;

/** Puts the sign-in page over everything; signing in loads the page anew. `reason`: why an earlier way of signing in failed. */
export function showSignIn(reason?: string): void {
  if (isShown) return;
  isShown = true;
  document.querySelector("#root")?.setAttribute("inert", "");
  const host = document.createElement("div");
  document.body.append(host);
  createRoot(host).render(<SignInPage reason={reason} onDone={() => location.reload()} />);
}
