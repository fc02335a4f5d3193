import './category-color.css'

/** By icon key; the home categories' colours are theme tokens. Each carries white text at 4.5:1 or better. */
export const CATEGORY_COLORS: Record<string, string> = {
  fitness: 'var(--category-fitness)',
  walking: 'var(--category-walking)',
  pilates: 'var(--category-pilates)',
  endurance: 'var(--category-endurance)',
  relaxing: 'var(--category-relaxing)',
  wholebody: 'var(--category-wholebody)',
  aqua: 'var(--category-aqua)',
  team: '#3d5a99',
  racket: '#5d6b1a',
  dance: '#a3286d',
  yoga: '#7b3f8c',
  water: '#2c6b73',
  nutrition: '#3f6f5b',
}

/** For categories without a known icon key: the id chooses, so that a category keeps its colour. */
export const OTHER_COLORS = ['#475b5e', '#235c8f', '#7a4a12', '#7b3f8c', '#4f6d2a', '#a8323e', '#2c6b73', '#6b6f14']

/** Which of the colours is a category's, as `data-category`; inside such an element `--category` is the colour. */
export const categoryKey = (icon: string, id: number): string =>
  icon in CATEGORY_COLORS ? icon : `other-${id % OTHER_COLORS.length}`
