import classes from './pieces.module.css'

/** The class names of the pieces that a part of a screen is put together from. */
export const piece = (...names: string[]): string => names.map(name => classes[name]).join(' ')
