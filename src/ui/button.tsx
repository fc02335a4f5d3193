import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import classes from './button.module.css'
import { styles } from './styles.ts'

/** If a whole card is clickable, its buttons are stacked above the card's link. */
const TEXT = styles({ base: 'actionLink', raised: true })

type Look = {
  /**
   * `primary`: main action; `light`: on the background of a screen header; `danger`: irreversible; `signal`: like
   * primary, but with less emphasis; `quiet`: secondary; `text`: styled as a link
   */
  look?: 'primary' | 'plain' | 'ghost' | 'light' | 'danger' | 'signal' | 'quiet' | 'text' | undefined
  /** gives adjacent buttons the same width */
  isWide?: boolean | undefined
  /** less tall and with fully rounded ends, for groups of buttons */
  isPill?: boolean | undefined
}

const classOf = ({ look = 'ghost', isWide, isPill, className = '' }: Look & { className?: string | undefined }) =>
  look === 'text'
    ? `${TEXT} ${className}`
    : `${classes.button} ${classes[look] ?? ''} ${isWide ? classes.wide : ''} ${isPill ? classes.pill : ''} ${className}`

/** Plain HTML button that does not use Mantine, because the server-rendered HTML includes it. */
export function Button({ look, isWide, isPill, className, ...button }: Look & ComponentProps<'button'>) {
  return <button type="button" {...button} className={classOf({ look, isWide, isPill, className })} />
}

/** Link styled as a button. `isOutside` means that the target is not a screen of the app. */
export function ButtonLink({
  look,
  isWide,
  isPill,
  isOutside = false,
  className,
  ...link
}: Look & ComponentProps<'a'> & { href: string; isOutside?: boolean }) {
  const all = { ...link, className: classOf({ look, isWide, isPill, className }) }
  return isOutside ? <a {...all} /> : <Link {...all} />
}
