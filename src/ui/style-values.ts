/** What an element is: the bases of layout components and of `styles()`. */
export const BASE_CLASSES = [
  'stack',
  'row',
  'columns',
  'fieldGrid',
  'strip',
  'actions',
  'tapTarget',
  'surface',
  'card',
  'listEntry',
  'pictureFrame',
  'pictureCard',
  'pictureRow',
  'cardBody',
  'dateBadge',
  'table',
  'notice',
  'checkLabel',
  'badgeAnchor',
  'actionLink',
  'iconButton',
  'spinner',
  'gauge',
  'input',
  'tag',
  'calendarDay',
  'weekdays',
] as const

/** Props that choose one of several values. */
export const CHOICE_PROPS = {
  /** arrangement of the children when the base does not imply one */
  layout: ['stack', 'row', 'columns'],
  gap: ['none', 'xs', 's', 'l', 'xl'],
  justify: ['between'],
  align: ['start', 'center'],
  /** space above; `auto` moves to the bottom of a card */
  mt: ['l', 'auto'],
  my: ['m'],
  mb: ['xl'],
  py: ['s'],
  /** line length of texts and forms; `narrow` is also a container for size queries */
  width: ['reading', 'narrow', 'slim'],
  /** font of headings and labels, with its size */
  variant: ['label', 'title', 'heading', 'name', 'countdown'],
  /** `s` is also muted */
  size: ['s', 'l', 'xl'],
  weight: ['semibold', 'bold'],
  tone: ['muted', 'ink', 'signal', 'todo', 'good', 'bad'],
  /** background with the text color that belongs to it */
  fill: ['grey', 'waiting', 'mine', 'sun'],
  /** border of a card that reports a result */
  status: ['error', 'pending', 'success'],
  /** shown only from, or only below, the width of the desktop layout */
  only: ['wide', 'phone'],
} as const

/** Props that are there or not. */
export const FLAG_PROPS = [
  /** no margins, neither of the element nor of the headings and texts in it */
  'flush',
  /** takes the remaining width of a row; long words break */
  'grow',
  /** neither margin nor padding nor border */
  'bare',
  'block',
  /** no gap between rows, short lines */
  'compact',
  /** a line between the children */
  'divided',
  /** section with space and a line above */
  'part',
  /** a line above the sum of a list */
  'total',
  /** colored edge */
  'edge',
  /** rounded background for a few words */
  'chip',
  /** narrow columns */
  'dense',
  /** term and description side by side */
  'pairs',
  /** legend laid out inside the fieldset */
  'legend',
  /** link without the look of one */
  'plain',
  /** text link with padding for touch */
  'quiet',
  /** link that covers its card */
  'cover',
  /** above a link that covers its card */
  'raised',
  'bullets',
  /** digits of equal width */
  'tabular',
  'capitalized',
  /** one line that ends in an ellipsis */
  'truncate',
  /** keeps line breaks */
  'preLine',
  'nowrap',
  'hideEmpty',
  'fullHeight',
] as const
