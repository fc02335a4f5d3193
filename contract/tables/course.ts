import { isKeyOf, keysOf, recordFromKeys } from '../records.ts'
import {
  bilingualField,
  type Field,
  type FieldKind,
  type FieldNamesWith,
  type FirstLanguageFieldNames,
  fieldNamesWith,
  type Label,
  type ResponseValueByFieldKind,
} from './fields.ts'

type CourseField = Field & {
  /**
   * the smallest API view that contains the field: `index` for the course list (HTML shortened to a teaser), `texts`
   * for the course details, or `whole` if only the complete course contains the field
   */
  view?: 'index' | 'texts' | 'whole'
  /** whether the value in the response is computed from this and other columns */
  isComputed?: true
  /** whether the field is used only in the office UI and for import and export, but not in the public programme */
  isInternal?: true
  /** whether the field was added after the first release, so that courses cached by earlier versions lack it */
  isAddition?: true
  /** whether the field is part of the public programme, which represents dates and times as text */
  isPublic?: true
  /** where the field is shown with its label: only in the details, or also on the card */
  show?: 'details' | 'card'
}

/**
 * Fields of a course, in the order of courses.csv. This table determines the API responses (including the `index` and
 * `texts` views), the database columns, import and export, the fields of actions, the form in the office UI, the data
 * map and the API descriptions. A new field requires an entry here, its label and description below, and a migration.
 */
export const COURSE_FIELDS = {
  number: { kind: 'key', max: 50, isRequired: true, view: 'index', isPublic: true, form: ['basics', 1] },
  seasonId: { kind: 'season', isRequired: true, view: 'index', form: ['basics', 3] },
  courseCategoryId: {
    kind: 'category',
    isRequired: true,
    column: 'category_id',
    view: 'index',
    form: ['basics', 4],
  },
  ...bilingualField('name', { kind: 'line', isRequired: true, view: 'index', isPublic: true, form: ['basics', 2] }),
  ...bilingualField('textWeb', { kind: 'html', view: 'index', form: ['texts', 1] }),
  ...bilingualField('conditions', { kind: 'html', view: 'texts', form: ['texts', 2] }),
  venue: { kind: 'line', view: 'index', isPublic: true, form: ['where', 1] },
  city: { kind: 'line', view: 'index', isPublic: true, form: ['where', 2] },
  ...bilingualField('location', { kind: 'text', max: 2_000, view: 'texts', form: ['where', 3] }),
  instructor: {
    kind: 'line',
    view: 'index',
    isComputed: true,
    isPublic: true,
    data: 'instructorProfile',
    form: ['where', 5],
  },
  instructorEmails: { kind: 'emails', column: null, form: ['where', 4] },
  day: { kind: 'weekday', column: 'plan_day', view: 'index', isComputed: true, form: ['when', 3] },
  startTime: { kind: 'time', isRequired: true, view: 'index', isPublic: true, form: ['when', 4] },
  endTime: { kind: 'time', isRequired: true, view: 'index', isPublic: true, form: ['when', 5] },
  start: {
    kind: 'date',
    isRequired: true,
    column: 'plan_starts_on',
    view: 'index',
    isComputed: true,
    isPublic: true,
    form: ['when', 1],
  },
  end: {
    kind: 'date',
    column: 'plan_ends_on',
    view: 'index',
    isComputed: true,
    isPublic: true,
    form: ['when', 2],
  },
  totalHours: { kind: 'hours', view: 'texts', form: ['when', 7] },
  bookingSelection: { kind: 'line', view: 'index', form: ['when', 8] },
  bookableFrom: { kind: 'moment', isClearable: true, view: 'index', isComputed: true, form: ['when', 6] },
  fee: { kind: 'money', view: 'index', form: ['price', 1] },
  energyFee: { kind: 'money', view: 'index', form: ['price', 2] },
  externalFee: { kind: 'money', isClearable: true, view: 'index', isComputed: true, form: ['price', 3] },
  freeWithAttendance: { kind: 'flag', view: 'index', isAddition: true, form: ['price', 4] },
  participants: { kind: 'count', isRequired: true, column: 'capacity', view: 'index', form: ['basics', 5] },
  confirmed: { kind: 'flag', view: 'index', form: ['basics', 6] },
  minParticipants: { kind: 'count', isInternal: true, form: ['basics', 7] },
  decideOn: { kind: 'date', isInternal: true, form: ['basics', 8] },
  meetingURL: { kind: 'url', view: 'whole', form: ['online', 1] },
  meetingID: { kind: 'line', view: 'whole', form: ['online', 2] },
  meetingCode: { kind: 'line', view: 'whole', form: ['online', 3] },
  centralTestInstitute: { kind: 'line', view: 'index', isAddition: true, show: 'details', form: ['price', 5] },
  certificateShare: { kind: 'count', max: 100, unit: '%', empty: '80', view: 'whole', form: ['price', 6] },
} as const satisfies Record<string, CourseField>

export type CourseFieldDefinitions = typeof COURSE_FIELDS
type FirstField = FirstLanguageFieldNames<CourseFieldDefinitions>

export const COURSE_LABELS: Record<FirstField, Label> = {
  number: { de: 'Kursnummer', en: 'Course number' },
  seasonId: { de: 'Saison', en: 'Season' },
  courseCategoryId: { de: 'Kategorie', en: 'Category' },
  name: { de: 'Name', en: 'Name' },
  textWeb: { de: 'Beschreibung', en: 'Description' },
  conditions: { de: 'Voraussetzungen', en: 'Requirements' },
  venue: { de: 'Ort', en: 'Place' },
  city: { de: 'Stadt', en: 'City' },
  location: { de: 'Wegbeschreibung', en: 'How to get there' },
  instructor: { de: 'Kursleitung', en: 'Instructor' },
  instructorEmails: { de: 'E-Mail der Kursleitung', en: 'Instructor’s e-mail' },
  day: { de: 'Wochentag', en: 'Weekday' },
  startTime: { de: 'Beginn', en: 'Start' },
  endTime: { de: 'Ende', en: 'End' },
  start: { de: 'Erster Tag', en: 'First day' },
  end: { de: 'Letzter Tag', en: 'Last day' },
  totalHours: { de: 'Stunden insgesamt', en: 'Hours in all' },
  bookingSelection: { de: 'Auswahl bei der Buchung', en: 'Choice when booking' },
  bookableFrom: { de: 'Buchbar ab', en: 'Bookable from' },
  fee: { de: 'Kursgebühr (€)', en: 'Course fee (€)' },
  energyFee: { de: 'Energiezuschlag (€)', en: 'Energy fee (€)' },
  externalFee: { de: 'Preis für Externe (€)', en: 'Price for external guests (€)' },
  freeWithAttendance: { de: 'Kostenlos bei regelmäßiger Anwesenheit', en: 'Free with regular attendance' },
  participants: { de: 'Plätze', en: 'Places' },
  confirmed: { de: 'Der Kurs findet statt', en: 'The course takes place' },
  minParticipants: { de: 'Mindestens nötig', en: 'Minimum needed' },
  decideOn: { de: 'Entscheidung bis', en: 'Decide by' },
  meetingURL: { de: 'Link zum Onlinekurs', en: 'Link to the online course' },
  meetingID: { de: 'Meeting-ID', en: 'Meeting ID' },
  meetingCode: { de: 'Kenncode', en: 'Meeting code' },
  centralTestInstitute: { de: 'Zentrale Prüfstelle', en: 'Central test institute' },
  certificateShare: { de: 'Anwesenheit für die Bescheinigung (%)', en: 'Attendance for the certificate (%)' },
}

/** API descriptions of the course fields. */
export const COURSE_FIELD_DESCRIPTIONS: Record<Exclude<FirstField, 'name'>, string> = {
  number: 'Course number assigned by the department; text',
  seasonId: 'Id of the season',
  courseCategoryId: 'Id of the category',
  textWeb: 'Description of the course; HTML with the allowed tags',
  conditions: 'Prerequisites and information for participants; HTML with the allowed tags',
  venue: 'Venue or room of the lessons',
  city: 'City of the venue',
  location: 'Directions to the venue',
  instructor: 'Names of the instructors',
  instructorEmails: 'E-mail addresses of the instructors',
  day: 'Day of the week: 0 Sunday to 6 Saturday',
  startTime: 'Start time of a lesson',
  endTime: 'End time of a lesson',
  start: 'Date of the first lesson',
  end: 'Date of the last lesson',
  totalHours: 'Total length of all lessons, in hours',
  bookingSelection: 'Weekdays as free text, such as "Mo + Mi"',
  bookableFrom: 'Time at which booking opens',
  fee: 'Fee for employees and pensioners, in euros',
  energyFee: 'Energy surcharge for every participant, in addition to the fee, in euros',
  externalFee: 'Fee for externals, in euros; if empty, the fee plus the surcharge for externals',
  freeWithAttendance: 'Whether employees and pensioners with regular attendance pay no fee',
  participants: 'Number of places',
  confirmed: 'Whether the department has confirmed that the course takes place',
  minParticipants: 'Minimum number of participants for the course to take place; 0: none',
  decideOn: 'Date on which the department decides whether the course takes place',
  meetingURL: 'URL of an online lesson; only for participants with a place and instructors',
  meetingID: 'Id of the online meeting, with the same visibility',
  meetingCode: 'Access code of the online meeting, with the same visibility',
  centralTestInstitute: 'Certification number with the central test institute of the health insurers',
  certificateShare: 'Percentage of lessons that must be attended for a certificate',
}

/** Encoding of a column in the index (see course-index.ts). Kinds that are not listed use `plain`. */
export type ColumnEncoding = 'plain' | 'text' | 'moment' | 'flag' | 'days'
const ENCODINGS: Partial<Record<FieldKind, ColumnEncoding>> = {
  line: 'text',
  text: 'text',
  html: 'text',
  url: 'text',
  date: 'moment',
  time: 'moment',
  moment: 'moment',
  flag: 'flag',
}

export type IndexedFieldName = FieldNamesWith<CourseFieldDefinitions, { view: 'index' }>
/** Fields of the index with their encodings. */
export const INDEX_FIELD_ENCODINGS: Record<IndexedFieldName, ColumnEncoding> = recordFromKeys(
  fieldNamesWith(COURSE_FIELDS, { view: 'index' }),
  field => ENCODINGS[COURSE_FIELDS[field].kind] ?? 'plain',
)

type TextField = FieldNamesWith<CourseFieldDefinitions, { view: 'texts' } | { view: 'index'; kind: 'html' }>
/** Fields of the details view, which are loaded after the index. */
export const TEXT_FIELDS: TextField[] = keysOf(COURSE_FIELDS).filter((field): field is TextField => {
  const { kind, view = '' } = { view: undefined, ...COURSE_FIELDS[field] }
  return view === 'texts' || (view === 'index' && kind === 'html')
})

/** Fields of the public programme. */
export const PUBLIC_FIELDS = fieldNamesWith(COURSE_FIELDS, { isPublic: true })

type AbsentField = FieldNamesWith<CourseFieldDefinitions, { view: 'texts' | 'whole' } | { isAddition: true }>
const EMPTY: Partial<Record<FieldKind, unknown>> = { count: 0, hours: 0, money: 0, flag: false }
/** Empty values for fields that may be missing from a listed or cached course. */
export const EMPTY_FIELD_VALUES = recordFromKeys(
  keysOf(COURSE_FIELDS).filter((field): field is AbsentField => {
    const { view, isAddition = false } = COURSE_FIELDS[field] as CourseField
    return view === 'texts' || view === 'whole' || isAddition
  }),
  field => EMPTY[COURSE_FIELDS[field].kind] ?? '',
) as { [F in AbsentField]: ResponseValueByFieldKind[CourseFieldDefinitions[F]['kind']] }

export type LabelledFieldName = FieldNamesWith<CourseFieldDefinitions, { show: 'details' | 'card' }>
/**
 * A field that is shown with a label. `second` is the name of its second-language counterpart, or of the field itself
 * if there is none.
 */
export type LabelledField<F> = { field: F; second: F; label: Label }
export const toLabelledFields = <F extends LabelledFieldName>(fields: readonly F[]): LabelledField<F>[] =>
  fields.flatMap(field => {
    const second = `${field}2`
    const isPair = isKeyOf(COURSE_FIELDS, second)
    return isKeyOf(COURSE_LABELS, field)
      ? [{ field, second: isPair ? (second as F) : field, label: COURSE_LABELS[field] }]
      : []
  })

/** Texts listed on the card. */
export const CARD_FIELDS = toLabelledFields(fieldNamesWith(COURSE_FIELDS, { show: 'card' }))
