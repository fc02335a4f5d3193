import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import classes from './button.module.css'
import { piece } from './pieces.ts'

/** Above a card that is a link as a whole. */
const TEXT = piece('action', 'over')

type Look = {
  /**
   * `primary`: the one thing to press; `light`: on the ground of a screen's head; `danger`: what cannot be
   * undone; `signal`: primary, without weight; `quiet`: can wait; `text`: as a link */
  look?: 'primary' | 'plain' | 'ghost' | 'light' | 'danger' | 'signal' | 'quiet' | 'text' | undefined
  /** shares the width with those beside it */
  isWide?: boolean | undefined
  /** round and lower, for what stands among others */
  isPill?: boolean | undefined
}

const classOf = ({ look = 'ghost', isWide, isPill, className = '' }: Look & { className?: string | undefined }) =>
  look === 'text'
    ? `${TEXT} ${className}`
    : `${classes.button} ${classes[look] ?? ''} ${isWide ? classes.wide : ''} ${isPill ? classes.pill : ''} ${className}`

/** The button. Plain HTML, because the first view that the server sends has it, too. */
export function Button({ look, isWide, isPill, className, ...button }: Look & ComponentProps<'button'>) {
  return <button type="button" {...button} className={classOf({ look, isWide, isPill, className })} />
}

/** Goes to another page and looks like a button; `isOutside`: not a screen of the app. */
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
