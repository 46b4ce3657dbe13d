/**
 * The screen follows the address at once. With transitions, React Router changes the address first and renders later:
 * what is clicked in between acts on parameters of the address before, and so undoes the change.
 */
export const ROUTER_PROPS = { useTransitions: false } as const;
