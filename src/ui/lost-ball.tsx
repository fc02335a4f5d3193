import classes from './lost-ball.module.css'

/** Illustration for error pages: a ball outside the court. */
export function ErrorIllustration({ className = '' }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 720 300" className={className} aria-hidden>
      <g fill="none" strokeWidth="7" strokeLinecap="round">
        <path d="M-20 236H330Q410 236 410 156V-20" stroke="var(--signal)" />
        <path d="M-20 202H318Q376 202 376 144V-20" stroke="var(--line-blue)" />
        <circle cx="86" cy="40" r="112" stroke="var(--sun)" />
        <path d="M120 150Q250 10 372 120T560 232" stroke="var(--muted)" strokeWidth="5" strokeDasharray="0 20" />
      </g>
      <ellipse cx="604" cy="284" rx="52" ry="7" fill="var(--ink)" opacity="0.15" />
      <g className={classes.ball} fill="none" stroke="var(--sun-ink)" strokeWidth="4">
        <circle cx="604" cy="230" r="50" fill="var(--sun)" />
        <path d="M554 230H654M604 180V280M569 194Q600 230 569 266M639 194Q608 230 639 266" />
      </g>
    </svg>
  )
}
