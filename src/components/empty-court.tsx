export function EmptyCourt({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 160 96" className={className} aria-hidden>
      <g fill="none" strokeWidth="4">
        <rect x="4" y="4" width="152" height="88" rx="10" stroke="var(--link)" />
        <path d="M80 4V92" stroke="var(--link)" />
        <circle cx="80" cy="48" r="20" stroke="var(--sun)" />
        <path d="M4 24H22a24 24 0 0 1 0 48H4" stroke="var(--signal)" />
        <path d="M156 24H138a24 24 0 0 0 0 48H156" stroke="var(--line-blue)" />
      </g>
    </svg>
  )
}
