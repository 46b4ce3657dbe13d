/**
 * Renders immediately when the URL changes. With transitions, React Router changes the URL first and renders later: a
 * click in between would use parameters of the previous URL, and so undo the change.
 */
export const ROUTER_PROPS = { useTransitions: false } as const;
