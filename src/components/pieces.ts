import classes from './pieces.module.css'

/** Class names of the utility classes in pieces.module.css. */
export const piece = (...names: string[]): string => names.map(name => classes[name]).join(' ')
