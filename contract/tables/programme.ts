import { bilingualField, type FieldDefinitions, type FirstLanguageFieldNames, type Label } from './fields.ts'

/** Default for a season's opening times, which makes the season always visible and bookable. */
const ALWAYS = '2000-01-01 00:00:00'

/**
 * Fields of seasons, rooms, categories, divisions and instructors, in the order of their import files. See course.ts.
 */
export const SEASON_FIELDS = {
  ...bilingualField('name', { kind: 'line', isRequired: true, form: ['basics', 1] }),
  ...bilingualField('description', { kind: 'text', form: ['basics', 7] }),
  shortcut: { kind: 'line', max: 50, form: ['basics', 2] },
  bookableFrom: { kind: 'moment', empty: ALWAYS, form: ['basics', 6, 'required'] },
  viewableFrom: { kind: 'moment', empty: ALWAYS, form: ['basics', 5, 'required'] },
  startsAt: { kind: 'startOfDay', form: ['basics', 3, 'required'] },
  endsAt: { kind: 'startOfDay', form: ['basics', 4, 'required'] },
} as const satisfies FieldDefinitions

export const ROOM_FIELDS = {
  name: { kind: 'key', max: 200, isRequired: true, form: ['basics', 1] },
  site: { kind: 'key', max: 200, form: ['basics', 2] },
  capacity: { kind: 'count', max: 1_000_000, form: ['basics', 3] },
  shared: { kind: 'flag', form: ['basics', 5] },
  equipment: { kind: 'line', max: 500, form: ['basics', 4] },
} as const satisfies FieldDefinitions

export const CATEGORY_FIELDS = {
  ...bilingualField('name', { kind: 'line', isRequired: true, form: ['basics', 1] }),
  icon: { kind: 'icon', form: ['basics', 2] },
} as const satisfies FieldDefinitions

export const DIVISION_FIELDS = {
  name: { kind: 'line', isRequired: true, form: ['basics', 1] },
  onlineOnly: { kind: 'flag', form: ['basics', 2] },
} as const satisfies FieldDefinitions

const data = 'instructorProfile'
/** Public profile of an instructor. */
export const INSTRUCTOR_PROFILE_FIELDS = {
  familyName: { kind: 'line', max: 100, isRequired: true, data, form: ['basics', 1] },
  givenName: { kind: 'line', max: 100, data, form: ['basics', 2] },
  yearOfBirth: { kind: 'year', isClearable: true, data, form: ['basics', 3] },
  ...bilingualField('courses', { kind: 'text', data, form: ['basics', 4] }),
  ...bilingualField('profession', { kind: 'text', data, form: ['basics', 5] }),
  ...bilingualField('hobbies', { kind: 'text', data, form: ['basics', 6] }),
  ...bilingualField('likeReasonsInstructor', { kind: 'text', column: 'like_reasons', data, form: ['basics', 7] }),
  ...bilingualField('favoriteWorkout', { kind: 'text', data, form: ['basics', 8] }),
  pictureFileName: { kind: 'picture', data },
} as const satisfies FieldDefinitions

/** Profile and contract of an instructor. Only the department and the instructor see the contract. */
export const INSTRUCTOR_FIELDS = {
  ...INSTRUCTOR_PROFILE_FIELDS,
  licence: { kind: 'line', max: 200, data: 'instructorContract', form: ['basics', 9] },
  licenceUntil: { kind: 'date', isClearable: true, data: 'instructorContract', form: ['basics', 10] },
  hourlyFee: { kind: 'money', data: 'instructorContract', form: ['basics', 11] },
} as const satisfies FieldDefinitions

const name = { de: 'Name', en: 'Name' }

export const SEASON_LABELS: Record<FirstLanguageFieldNames<typeof SEASON_FIELDS>, Label> = {
  name,
  description: { de: 'Beschreibung', en: 'Description' },
  shortcut: { de: 'Kürzel', en: 'Shortcut' },
  bookableFrom: { de: 'Buchbar ab', en: 'Bookable from' },
  viewableFrom: { de: 'Sichtbar ab', en: 'Visible from' },
  startsAt: { de: 'Erster Tag der Saison', en: 'First day of the season' },
  endsAt: { de: 'Letzter Tag der Saison', en: 'Last day of the season' },
}

export const ROOM_LABELS: Record<FirstLanguageFieldNames<typeof ROOM_FIELDS>, Label> = {
  name,
  site: { de: 'Standort', en: 'Site' },
  capacity: { de: 'Plätze im Raum', en: 'Places in the room' },
  shared: { de: 'Mehrere Kurse zugleich möglich', en: 'Several courses at once' },
  equipment: { de: 'Ausstattung', en: 'Equipment' },
}

export const CATEGORY_LABELS: Record<FirstLanguageFieldNames<typeof CATEGORY_FIELDS>, Label> = {
  name,
  icon: { de: 'Linien', en: 'Lines' },
}

export const DIVISION_LABELS: Record<FirstLanguageFieldNames<typeof DIVISION_FIELDS>, Label> = {
  name,
  onlineOnly: { de: 'Nur Onlinekurse', en: 'Online courses only' },
}

export const INSTRUCTOR_LABELS: Record<
  Exclude<FirstLanguageFieldNames<typeof INSTRUCTOR_FIELDS>, 'pictureFileName'>,
  Label
> = {
  familyName: { de: 'Nachname', en: 'Family name' },
  givenName: { de: 'Vorname', en: 'Given name' },
  yearOfBirth: { de: 'Geburtsjahr', en: 'Year of birth' },
  courses: { de: 'Kurse', en: 'Courses' },
  profession: { de: 'Beruf', en: 'Profession' },
  hobbies: { de: 'Hobbys', en: 'Hobbies' },
  likeReasonsInstructor: { de: 'Warum ich gern leite', en: 'Why I like teaching' },
  favoriteWorkout: { de: 'Lieblingstraining', en: 'Favourite workout' },
  licence: { de: 'Lizenz', en: 'Licence' },
  licenceUntil: { de: 'Lizenz gültig bis', en: 'Licence valid until' },
  hourlyFee: { de: 'Honorar je Stunde (€)', en: 'Fee per hour (€)' },
}

/** API descriptions of fields that only seasons have. Those of shared fields are in `descriptions`. */
export const SEASON_FIELD_DESCRIPTIONS = {
  description: 'Description of the season',
  shortcut: 'Short name of the season',
  bookableFrom: 'Time at which booking opens',
  viewableFrom: 'Time from which the season is visible',
  startsAt: 'First day of the season',
  endsAt: 'Last day of the season',
}
export const ROOM_FIELD_DESCRIPTIONS = {
  site: 'Site where the room is',
  capacity: 'Maximum number of people in the room',
  shared: 'Whether several lessons may take place at the same time',
  equipment: 'Equipment of the room, such as mats or a projector',
}
export const CATEGORY_FIELD_DESCRIPTIONS = { icon: 'Icon: the name of a built-in one, or of an uploaded file' }
export const DIVISION_FIELD_DESCRIPTIONS = {
  onlineOnly: 'Whether people of this division may book online courses only',
}
export const INSTRUCTOR_FIELD_DESCRIPTIONS = {
  yearOfBirth: 'Four-digit year of birth; 1900 means not specified',
  courses: 'Courses that the instructor teaches, as text',
  profession: 'Profession',
  hobbies: 'Hobbies',
  likeReasonsInstructor: 'Why the instructor likes to teach',
  favoriteWorkout: 'Favourite workout',
  pictureFileName: 'File name of the picture; empty if there is none',
  licence: 'Licence to teach; not public',
  licenceUntil: 'Last day on which the licence is valid; not public',
  hourlyFee: 'Fee per hour, in euros, for the timesheet; 0: none agreed; not public',
}
