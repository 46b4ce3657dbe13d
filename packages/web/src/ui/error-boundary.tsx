import { Component, type ReactNode } from "react";
import { serverAnswers } from "../api/client.ts";
import { ErrorCard, isMissingPart } from "./error-card.tsx";
import { PageHeading } from "./page-heading.tsx";
import { Skeleton } from "./skeleton.tsx";

interface Props {
  readonly children: ReactNode;
  /** Clears the error when it changes: the path of the page. */
  readonly resetKey: string;
  /** The message replaces a whole page, so it needs its own heading. */
  readonly isPage?: boolean;
}

interface State {
  readonly error: Error | undefined;
  /** The page reloads if the server answers. */
  readonly isChecking: boolean;
  readonly resetKey: string;
}

const RELOADED_KEY = "weft-reloaded-for-chunk";
const LOOK_AGAIN_MS = 3000;

/**
 * Keeps an error in one part from blanking the page. A missing chunk (the server was updated) reloads the page once,
 * but only after the server responds, to avoid the browser's own error page.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, isChecking: false, resetKey: this.props.resetKey };
  #timer: ReturnType<typeof setTimeout> | undefined;

  static getDerivedStateFromError(error: unknown): Pick<State, "error" | "isChecking"> {
    return {
      error: error instanceof Error ? error : new Error(String(error)),
      isChecking: isMissingPart(error) && sessionStorage.getItem(RELOADED_KEY) === null,
    };
  }

  override componentDidCatch(): void {
    if (this.state.isChecking) void this.#reloadOnce();
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer);
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State | null {
    return resetKey === state.resetKey ? null : { error: undefined, isChecking: false, resetKey };
  }

  override render(): ReactNode {
    const { error, isChecking } = this.state;
    if (error === undefined) return this.props.children;
    if (isChecking) return <Skeleton />;
    const retry = (): void => (isMissingPart(error) ? void reloadIfAnswered() : this.setState({ error: undefined }));
    return (
      <>
        {this.props.isPage === true && <PageHeading title="This page failed to load" />}
        <ErrorCard error={error} onRetry={retry} />
      </>
    );
  }

  /** Reloads the page as soon as the server responds, unless the user has left it. */
  async #reloadOnce(): Promise<void> {
    const answers = await serverAnswers();
    if (this.state.error === undefined) return;
    if (answers) {
      sessionStorage.setItem(RELOADED_KEY, "yes");
      location.reload();
      return;
    }
    this.setState({ isChecking: false });
    this.#timer = setTimeout(() => void this.#reloadOnce(), LOOK_AGAIN_MS);
  }
}

async function reloadIfAnswered(): Promise<void> {
  if (await serverAnswers()) location.reload();
}
