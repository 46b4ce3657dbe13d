import { createRoot } from "react-dom/client";
import { SignInPage } from "./sign-in-page.tsx";

let isShown = false;

/** Shows the sign-in page above everything; signing in reloads the page. `reason`: why an earlier sign-in failed. */
export function showSignIn(reason?: string): void {
  if (isShown) return;
  isShown = true;
  document.querySelector("#root")?.setAttribute("inert", "");
  const host = document.createElement("div");
  document.body.append(host);
  createRoot(host).render(<SignInPage reason={reason} onDone={() => location.reload()} />);
}
