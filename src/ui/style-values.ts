/**
 * Base classes of layout components and of `styles()`. Each stands for a kind of element, such as a stack or a card.
 */
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

/** Style props that accept one of several values. */
export const ENUM_STYLE_PROPS = {
  /** arrangement of the children, if the base class does not imply one */
  layout: ['stack', 'row'],
  gap: ['none', 'xs', 's', 'l', 'xl'],
  justify: ['between'],
  align: ['start', 'center'],
  /** space above; `auto` moves the element to the bottom of a card */
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
  /** background, with the text color that belongs to it */
  fill: ['grey', 'waiting', 'mine', 'sun'],
  /** border of a card that reports a result */
  status: ['error', 'pending', 'success'],
  /** shows the element only in the desktop layout, or only below the width of that layout */
  only: ['wide', 'phone'],
} as const

/** Boolean style props. */
export const BOOLEAN_STYLE_PROPS = [
  /** removes the margins of the element and of the headings and texts in it */
  'flush',
  /** lets the element take the remaining width of a row, and breaks long words */
  'grow',
  /** removes margin, padding and border */
  'bare',
  'block',
  /** no gap between rows and a low line height */
  'compact',
  /** draws a line between the children */
  'divided',
  /** separates a section from the previous one by space and a line */
  'part',
  /** draws a line above the sum of a list */
  'total',
  /** adds a colored edge */
  'edge',
  /** styles a few words as a badge with a rounded background */
  'chip',
  /** narrow columns */
  'dense',
  /** places term and description side by side */
  'pairs',
  /** places the legend inside the fieldset */
  'legend',
  /** shows a link as plain text */
  'plain',
  /** enlarges a text link to a touch target by means of padding */
  'quiet',
  /** stretches a link over its card, so that the whole card is clickable */
  'cover',
  /** places a control above the link that covers its card */
  'raised',
  'bullets',
  /** digits of equal width */
  'tabular',
  'capitalized',
  /** truncates the text to one line with an ellipsis */
  'truncate',
  /** keeps line breaks */
  'preLine',
  'nowrap',
  'hideEmpty',
  'fullHeight',
] as const
