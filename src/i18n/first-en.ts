// The texts of the first screens, in one file. i18n.ts names them too.
export { default as bookings } from './en/bookings.json'
export { default as content } from './en/content.json'
export { default as courses } from './en/courses.json'
export { default as shell } from './en/shell.json'
