import * as v from 'valibot'
import { keysOf, objectFromKeys, recordFromKeys } from '../records.ts'
import {
  type BillingType,
  billingType,
  EMAIL_MAX_LENGTH,
  EMPLOYEE_STATUS,
  type EmployeeStatus,
  email,
  employeeStatus,
  formOfAddress,
  id,
  idOrZero,
  type Language,
  PASSWORD_MAX_LENGTH,
  personalDataText,
  singleLinePersonalDataText,
} from '../values.ts'
import type { DataKindName } from './data-map.ts'

/** Value types of form fields. Unset fields are empty, null or missing; the year may still be text. */
type ValueByFieldKind = {
  email: string
  password: string
  /** repeated password */
  repeat: string
  address: string
  /** single-line text that is used in lists, e-mails and e-mail headers */
  line: string
  text: string
  phone: string
  status: EmployeeStatus | null
  billing: BillingType | null
  division: number | null
  year: number | string | null
}
type Kind = keyof ValueByFieldKind

export const PROFILE_FORM_GROUPS = ['person', 'affiliation', 'contact', 'home'] as const
export type ProfileFormGroup = (typeof PROFILE_FORM_GROUPS)[number]

type PersonField = {
  kind: Kind
  /** maximum length in characters */
  max?: number
  /** for all statuses */
  always?: 'required' | 'optional'
  /** employee statuses for which the field is required */
  required?: readonly EmployeeStatus[]
  /** employee statuses for which the field is optional */
  optional?: readonly EmployeeStatus[]
  /** statuses for which the field is required if the person is billed via another person's personnel number */
  foreign?: readonly EmployeeStatus[]
  /** registration step, form group, and position within the group */
  form: readonly [step: 1 | 2 | 3, group: ProfileFormGroup, position: number]
  /** `autocomplete` attribute */
  fill?: string
  /** data category in the data map; set for all stored fields */
  data?: DataKindName
}

const { Employee, External, Pensioner, HealthInsurance, MunicipalUtilities, Apprentice } = EMPLOYEE_STATUS
const STAFF = [Employee, Apprentice] as const
const GUESTS = [Pensioner, HealthInsurance, MunicipalUtilities, External] as const
const EVERYBODY = [...STAFF, ...GUESTS] as const
/** Employee statuses of people who may be billed via another person's personnel number. */
const FOREIGN = [HealthInsurance, MunicipalUtilities, External] as const

const credential = { max: PASSWORD_MAX_LENGTH, always: 'required' } as const
const data = 'profile'

/**
 * Personal data fields (section 5 of the specification), in the order in which the API sends them. Types, API schemas,
 * columns of the database and of users.csv, forms and rules are derived from this table. A field without `always`
 * applies only to the employee statuses that it lists. A new field requires an entry here, its label below, and a
 * migration.
 */
export const PERSON = {
  email: {
    kind: 'email',
    max: EMAIL_MAX_LENGTH,
    always: 'required',
    form: [1, 'person', 1],
    fill: 'email',
    data: 'login',
  },
  password: { kind: 'password', ...credential, form: [1, 'person', 2] },
  confirmPassword: { kind: 'repeat', ...credential, form: [1, 'person', 3] },
  formOfAddress: { kind: 'address', always: 'required', form: [2, 'person', 4], data },
  title: { kind: 'line', max: 50, always: 'optional', form: [2, 'person', 5], fill: 'honorific-prefix', data },
  givenName: { kind: 'line', max: 100, always: 'required', form: [2, 'person', 6], fill: 'given-name', data: 'listed' },
  familyName: {
    kind: 'line',
    max: 100,
    always: 'required',
    form: [2, 'person', 7],
    fill: 'family-name',
    data: 'listed',
  },
  employeeStatus: { kind: 'status', always: 'required', form: [3, 'affiliation', 1], data: 'listed' },
  personnelNumber: {
    kind: 'text',
    max: 50,
    form: [3, 'affiliation', 4],
    data,
    required: [...STAFF, Pensioner],
    foreign: FOREIGN,
  },
  ownerPersonnelNumber: { kind: 'text', max: 50, foreign: FOREIGN, form: [3, 'affiliation', 5], data },
  department: { kind: 'text', max: 100, required: [Employee], form: [3, 'affiliation', 7], data },
  location: { kind: 'text', max: 100, required: [Employee], form: [3, 'affiliation', 9], data },
  companyAddress: { kind: 'text', max: 200, required: [Employee, Pensioner], form: [3, 'affiliation', 8], data },
  bkkNumber: { kind: 'text', max: 50, required: [HealthInsurance], form: [3, 'affiliation', 2], data: 'insurance' },
  billingType: { kind: 'billing', required: GUESTS, form: [3, 'affiliation', 3], data: 'listed' },
  divisionId: { kind: 'division', required: [...STAFF, Pensioner], form: [3, 'affiliation', 6], data },
  mobilePhone: { kind: 'phone', max: 50, optional: EVERYBODY, form: [3, 'contact', 1], fill: 'tel', data },
  privatePhone: { kind: 'phone', max: 50, optional: EVERYBODY, form: [3, 'contact', 2], fill: 'tel', data },
  businessPhone: {
    kind: 'phone',
    max: 50,
    form: [3, 'contact', 3],
    fill: 'tel',
    data,
    optional: [...STAFF, Pensioner, MunicipalUtilities, External],
  },
  street: {
    kind: 'text',
    max: 50,
    required: GUESTS,
    optional: STAFF,
    form: [3, 'home', 1],
    fill: 'street-address',
    data,
  },
  zip: {
    kind: 'text',
    max: 10,
    required: GUESTS,
    optional: STAFF,
    form: [3, 'home', 2],
    fill: 'postal-code',
    data,
  },
  city: {
    kind: 'text',
    max: 50,
    required: GUESTS,
    optional: STAFF,
    form: [3, 'home', 3],
    fill: 'address-level2',
    data,
  },
  yearOfBirth: {
    // The specification has no year of birth for apprentices, so it is optional for them. An unset year is sent as
    // 1900.
    kind: 'year',
    required: [Employee, ...GUESTS],
    optional: [Apprentice],
    form: [3, 'home', 4],
    fill: 'bday-year',
    data,
  },
} as const satisfies Record<string, PersonField>

export type ProfileField = keyof typeof PERSON
type KindOf<Field extends ProfileField> = (typeof PERSON)[Field]['kind']

type CredentialField = 'password' | 'confirmPassword'
export type StoredProfileField = Exclude<ProfileField, CredentialField>

const names: Record<StoredProfileField, Record<Language, string>> = {
  email: { de: 'E-Mail', en: 'E-mail' },
  formOfAddress: { de: 'Anrede', en: 'Salutation' },
  title: { de: 'Titel', en: 'Title' },
  givenName: { de: 'Vorname', en: 'First name' },
  familyName: { de: 'Nachname', en: 'Last name' },
  employeeStatus: { de: 'Ihre Zugehörigkeit', en: 'Employee status' },
  personnelNumber: { de: 'Personalnummer', en: 'Personnel number' },
  ownerPersonnelNumber: { de: 'Name zur Personalnummer', en: 'Owner of the personnel number' },
  department: { de: 'Abteilung', en: 'Department' },
  location: { de: 'Standort', en: 'Company location' },
  companyAddress: { de: 'Firmenanschrift', en: 'Company address' },
  bkkNumber: { de: 'BKK-Versichertennummer', en: 'BKK insurance number' },
  billingType: { de: 'Abrechnung über', en: 'Billing type' },
  divisionId: { de: 'Gesellschaft', en: 'Division' },
  mobilePhone: { de: 'Mobiltelefon', en: 'Mobile phone' },
  privatePhone: { de: 'Festnetz', en: 'Landline' },
  businessPhone: { de: 'Telefon dienstlich', en: 'Business phone' },
  street: { de: 'Straße und Hausnummer', en: 'Street' },
  zip: { de: 'Postleitzahl', en: 'Zip' },
  city: { de: 'Ort', en: 'City' },
  yearOfBirth: { de: 'Geburtsjahr', en: 'Year of birth' },
}

export type ProfileValues = { [Field in ProfileField]: ValueByFieldKind[KindOf<Field>] }
export type ProfileInput = { [Field in ProfileField]?: ProfileValues[Field] | null | undefined }

const fieldsOnTheWire = keysOf(PERSON)

export const PERSON_FIELDS: Record<ProfileField, PersonField> = PERSON

const positionInForm = (field: ProfileField): number => {
  const [step, group, position] = PERSON[field].form
  return step * 1_000 + PROFILE_FORM_GROUPS.indexOf(group) * 100 + position
}

/** All fields in form order. */
export const PROFILE_FIELDS: readonly ProfileField[] = [...fieldsOnTheWire].sort(
  (a, b) => positionInForm(a) - positionInForm(b),
)

/** Stored fields, in the order in which the API sends them. */
export const STORED_PROFILE_FIELDS = fieldsOnTheWire.filter(
  (field): field is StoredProfileField => field !== 'password' && field !== 'confirmPassword',
)

/** Labels of stored fields by language, for forms, downloads, the office UI and the privacy notice. */
export const PROFILE_FIELD_LABELS: Record<Language, Record<StoredProfileField, string>> = {
  de: recordFromKeys(STORED_PROFILE_FIELDS, field => names[field].de),
  en: recordFromKeys(STORED_PROFILE_FIELDS, field => names[field].en),
}

const notGiven = v.pipe(
  v.literal(0),
  v.transform(() => null),
)
/** An optional number. Missing, null and 0 are accepted, because the API returns 0 for a number that is not set. */
const optionalNumber = <S extends v.GenericSchema<number, number>>(schema: S) =>
  v.optional(v.nullish(v.union([schema, notGiven])))
const password = v.optional(v.nullish(v.pipe(v.string(), v.maxLength(PASSWORD_MAX_LENGTH)), ''), '')

/** Request schemas by field kind. Fields that do not apply to a status may be missing, null or empty. */
const sent = {
  email: () => email,
  password: () => password,
  repeat: () => password,
  address: () => formOfAddress,
  line: ({ max = 0 }: PersonField) => singleLinePersonalDataText(max),
  text: ({ max = 0 }: PersonField) => personalDataText(max),
  phone: ({ max = 0 }: PersonField) => personalDataText(max),
  status: () => employeeStatus,
  billing: () => optionalNumber(billingType),
  division: () => optionalNumber(id),
  /** 1900 means not set */
  year: () => v.optional(v.nullish(v.pipe(v.number(), v.integer()))),
} satisfies Record<Kind, (field: PersonField) => v.GenericSchema>

/** Response schemas by field kind. Passwords are always empty, and 0 stands for a number that is not set. */
const answered = {
  email: () => v.string(),
  password: () => v.literal(''),
  repeat: () => v.literal(''),
  address: () => formOfAddress,
  line: () => v.string(),
  text: () => v.string(),
  phone: () => v.string(),
  status: () => v.union([employeeStatus, v.literal(0)]),
  billing: () => v.union([billingType, v.literal(0)]),
  division: () => idOrZero,
  year: () => v.number(),
} satisfies Record<Kind, () => v.GenericSchema>

type EntriesOf<Schemas extends Record<Kind, (field: PersonField) => v.GenericSchema>> = {
  [Field in ProfileField]: ReturnType<Schemas[KindOf<Field>]>
}

export const profileRequestEntries = objectFromKeys<EntriesOf<typeof sent>>(fieldsOnTheWire, field =>
  sent[PERSON[field].kind](PERSON[field]),
)
export const profileResponseEntries = objectFromKeys<EntriesOf<typeof answered>>(fieldsOnTheWire, field =>
  answered[PERSON[field].kind](),
)
