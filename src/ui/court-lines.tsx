/** Decoration behind a heading: the lines of a sports court, right-aligned in the container. */
export function CourtLines({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 390 200" preserveAspectRatio="xMaxYMin slice" className={className} aria-hidden>
      <g fill="none" strokeWidth="4" transform="translate(40)">
        <path d="M-60 186H420" stroke="var(--bright)" opacity=".16" />
        <circle cx="352" cy="40" r="64" stroke="var(--sun)" opacity=".75" />
        <path d="M352-40V200" stroke="var(--bright)" opacity=".28" />
        <path d="M268-20V96Q268 150 318 150H420" stroke="var(--line-orange)" />
        <path d="M292-20V84Q292 124 330 124H420" stroke="var(--line-blue)" opacity=".9" />
      </g>
    </svg>
  )
}
