import type { ComponentPropsWithRef, ReactNode } from 'react'
import { type BaseClass, type StyleProps, splitStyles } from './styles.ts'

type Tag = keyof React.JSX.IntrinsicElements
type Props<T extends Tag> = StyleProps & { as?: T } & Omit<ComponentPropsWithRef<T>, keyof StyleProps>

/**
 * Creates a component with typed style props instead of class names. Its prop `as` overrides the HTML tag.
 */
const createElementOf =
  <Default extends Tag>(fallback: Default, base?: BaseClass) =>
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
/** Grid with as many columns as fit into the available width. */
export const Columns = createElementOf('div', 'columns')
/** Grid of form fields side by side, aligned at the bottom. */
export const FieldGrid = createElementOf('div', 'fieldGrid')
/** Button row of a form. */
export const Actions = createElementOf('div', 'actions')
/** Border and background, without padding. */
export const Surface = createElementOf('div', 'surface')
export const Card = createElementOf('section', 'card')
/** List entry: a card with a single line, which may be clickable. */
export const ListEntry = createElementOf('li', 'listEntry')
/** Card with a picture above its text. */
export const PictureCard = createElementOf('li', 'pictureCard')
/** Text area of a `PictureCard`. */
export const CardBody = createElementOf('div', 'cardBody')
export const Table = createElementOf('table', 'table')
/** Box with a notice about something upcoming or pending. */
export const Notice = createElementOf('p', 'notice')
/** Label that contains a checkbox or radio button. */
export const CheckLabel = createElementOf('label', 'checkLabel')
/** Link with an icon, or a button styled as such a link. */
export const ActionLink = createElementOf('a', 'actionLink')
export const IconButton = createElementOf('button', 'iconButton')
/** Element with at least the height of a touch target. */
export const TapTarget = createElementOf('a', 'tapTarget')
export const Tag = createElementOf('span', 'tag')
