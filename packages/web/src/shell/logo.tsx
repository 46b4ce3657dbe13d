/** The mark: a woven W. */
export function Logo() {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      className="size-7"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <path d="M5 9.5 10.5 23 16 11M16 11l5.5 12L27 9.5" stroke="#fff" strokeWidth="3.2" />
      <path d="M5.5 16.2h4.6M13.4 16.2h5.2M21.9 16.2h4.6" stroke="#a5f3fc" strokeWidth="2.4" />
    </svg>
  );
}
