import type { ComponentPropsWithRef, ReactNode } from 'react'
import { type Base, type StyleProps, splitStyles } from './styles.ts'

type Tag = keyof React.JSX.IntrinsicElements
type Props<T extends Tag> = StyleProps & { as?: T } & Omit<ComponentPropsWithRef<T>, keyof StyleProps>

/** Element with typed style props in place of class names; `as` is its HTML tag. */
const createElementOf =
  <Default extends Tag>(fallback: Default, base?: Base) =>
  <T extends Tag = Default>({ as, ...props }: Props<T>): ReactNode => {
    const [className, rest] = splitStyles({ base, ...props })
    const Element: React.ElementType = as ?? fallback
    return <Element {...rest} className={className} />
  }

export const Box = createElementOf('div')
export const Text = createElementOf('p')
/** Below one another. */
export const Stack = createElementOf('div', 'stack')
/** Beside one another, wrapping. */
export const Row = createElementOf('div', 'row')
/** As many columns as fit. */
export const Columns = createElementOf('div', 'columns')
/** Form fields beside one another, aligned at the bottom. */
export const FieldGrid = createElementOf('div', 'fieldGrid')
/** Button row of a form. */
export const Actions = createElementOf('div', 'actions')
/** Border and background, without padding. */
export const Surface = createElementOf('div', 'surface')
export const Card = createElementOf('section', 'card')
/** Card of one line, interactive or not. */
export const ListEntry = createElementOf('li', 'listEntry')
/** Card with a picture above its text. */
export const PictureCard = createElementOf('li', 'pictureCard')
/** Text of a card with a picture. */
export const CardBody = createElementOf('div', 'cardBody')
export const Table = createElementOf('table', 'table')
/** Notice of something upcoming or pending. */
export const Notice = createElementOf('p', 'notice')
/** Label around a checkbox or radio button. */
export const CheckLabel = createElementOf('label', 'checkLabel')
/** Link or button in the look of a link with an icon. */
export const ActionLink = createElementOf('a', 'actionLink')
export const IconButton = createElementOf('button', 'iconButton')
/** Element of at least the height of a touch target. */
export const TapTarget = createElementOf('a', 'tapTarget')
export const Tag = createElementOf('span', 'tag')
