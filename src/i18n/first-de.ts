// Bundled texts of the first screens in German; i18n.ts lists the same files.
export { default as bookings } from './de/bookings.json'
export { default as content } from './de/content.json'
export { default as courses } from './de/courses.json'
export { default as shell } from './de/shell.json'
