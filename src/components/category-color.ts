/** The icon keys that have a colour of their own; the colours stand in src/app/theme/tokens.css, by `data-category`. */
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

/** How many colours there are for categories without a known icon key. */
const OTHERS = 8

/** All values that `data-category` can have. */
export const CATEGORY_KEYS: readonly string[] = [
  ...COLORED,
  ...Array.from({ length: OTHERS }, (_, index) => `other-${index}`),
]

/** A category's colour, as `data-category`, inside which `--category` is the colour. Without a known icon key the id chooses. */
export const categoryKey = (icon: string, id: number): string => (COLORED.has(icon) ? icon : `other-${id % OTHERS}`)
