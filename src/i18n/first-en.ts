// Bundled texts of the first screens in English; i18n.ts lists the same files.
export { default as bookings } from './en/bookings.json'
export { default as content } from './en/content.json'
export { default as courses } from './en/courses.json'
export { default as shell } from './en/shell.json'
