/** Icon keys that have a color of their own, which src/app/theme/tokens.css defines by `data-category`. */
const COLORED = new Set([
  'fitness',
  'walking',
  'pilates',
  'endurance',
  'relaxing',
  'wholebody',
  'aqua',
  'team',
  'racket',
  'dance',
  'yoga',
  'water',
  'nutrition',
])

/** Number of fallback colors for categories without a registered icon key. */
const OTHERS = 8

/** All values of `data-category`. */
export const CATEGORY_KEYS: readonly string[] = [
  ...COLORED,
  ...Array.from({ length: OTHERS }, (_, index) => `other-${index}`),
]

/**
 * Value of `data-category`, which sets the CSS variable `--category`. The id selects the color if the icon key is not
 * registered.
 */
export const categoryKey = (icon: string, id: number): string => (COLORED.has(icon) ? icon : `other-${id % OTHERS}`)
