type IconProps = {
  className?: string | undefined
  /** Width and height in px. */
  size?: number
  /** line width in units of the 24 × 24 grid */
  stroke?: number
}

const OUTLINE = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const

/**
 * Creates a decorative icon component, hidden from assistive technology. The path data is from Tabler Icons (MIT
 * License, Copyright (c) 2020-2026 Paweł Kuna). Their package holds 6,000 icons (88 MB installed), so the app contains
 * only those that it shows.
 */
export function createIcon(kind: 'outline' | 'filled', ...paths: string[]) {
  return ({ className, size = 24, stroke = 2 }: IconProps) => {
    const style = kind === 'filled' ? { fill: 'currentColor' } : { ...OUTLINE, strokeWidth: stroke }
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        className={className}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        {...style}
        aria-hidden="true"
      >
        {paths.map(path => (
          <path key={path} d={path} />
        ))}
      </svg>
    )
  }
}
