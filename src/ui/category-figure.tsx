/** SVG paths of the figures, one per course category, drawn from court lines. The viewBox is 90 × 100. */
const FIGURES: Record<string, string> = {
  fitness: 'M44 26a22 22 0 1 0 44 0a22 22 0 1 0-44 0M66-10V60M0 48H95',
  walking: 'M-5 62Q30 12 52 38T100 18M-5 44Q30-6 52 20T100 0',
  pilates: 'M20-5V30A25 25 0 0 0 70 30V-5M45-5V72',
  endurance: 'M-5 48l25-4 10-28 14 44 12-28 8 14h32',
  relaxing: 'M32 30a26 26 0 1 0 52 0a26 26 0 1 0-52 0M44 30a14 14 0 1 0 28 0a14 14 0 1 0-28 0',
  wholebody: 'M12-5V26A33 33 0 0 0 78 26V-5M30-5V26a15 15 0 0 0 30 0V-5M0 72H90',
  aqua: 'M-5 26q12-14 24 0t24 0 24 0 24 0 24 0M-5 44q12-14 24 0t24 0 24 0 24 0 24 0M-5 62q12-14 24 0t24 0 24 0 24 0 24 0',
  team: 'M14-5V34H76V-5M30-5V12H60V-5M36 34a9 9 0 0 0 18 0M-5 66H95',
  racket: 'M-5 12H95M-5 58H95M45 12V58M18-5V75M72-5V75',
  dance: 'M-5 60C20 60 20 14 45 14S66 60 95 60M30 14a15 15 0 1 0 30 0a15 15 0 1 0-30 0',
  yoga: 'M45-5C72 18 72 46 45 66C18 46 18 18 45-5M45 66C66 66 84 54 90 34M45 66C24 66 6 54 0 34',
  water: 'M10-8Q45 30 10 76M80-8Q45 30 80 76M-5 34H95',
  nutrition: 'M45 18C30 2 8 14 14 38S38 72 45 62S70 60 76 38S60 2 45 18M45 18Q45 4 58-4',
}
const OTHERS = [
  'M-5 20H60Q80 20 80 42V80M-5 38H50Q62 38 62 52V80',
  'M45-10V80M-5 34H95M22 34a23 23 0 1 0 46 0a23 23 0 1 0-46 0',
  'M95-5Q20-5 20 70M95 18Q44 18 44 70',
]

export const categoryIllustrationPath = (icon: string, id: number): string =>
  FIGURES[icon] ?? OTHERS[id % OTHERS.length] ?? ''

/**
 * Illustration for a course category, composed of the lines of a sports court in the current text color. It scales to
 * fill its container.
 */
export function CategoryIllustration({
  icon,
  id,
  className,
}: {
  icon: string
  id: number
  className?: string | undefined
}) {
  return (
    <svg viewBox="0 0 90 100" preserveAspectRatio="xMidYMin slice" className={className} aria-hidden>
      <path
        d={categoryIllustrationPath(icon, id)}
        fill="none"
        stroke="currentColor"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
    </svg>
  )
}
