import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { BookingOfPerson, getOfficePerson } from '#contract/office/people.ts'
import { keysOf } from '#contract/records.ts'
import { YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { textInLanguage } from '#contract/words.ts'
import { createDataFile, type DataFileFormat, type TranslateWithFallback } from '#features/accounts/data-model.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActRequest, currentLanguage, requestsOn } from '#office/frame/act-store.ts'
import { CancellationChargeFields, isChargeComplete } from '#office/frame/components/charge-fields.tsx'
import { CoursePicker } from './course-picker.tsx'
import { PersonFields } from './person-fields.tsx'

export type OfficePerson = ResponseOf<typeof getOfficePerson>
export type OfficeProfile = NonNullable<OfficePerson['profile']>

/** Whether the person's full data is included; without the `bookings` permission, only the name is. */
export const hasFullProfile = (person: OfficePerson): person is Required<OfficePerson> => person.profile !== undefined

const t = i18next.getFixedT(null, 'office-people')

type CourseFields = { act: { courseId?: number }; change(fields: { courseId: number }): void }

const sayValue = (name: keyof OfficeProfile, value: unknown) => {
  if (name === 'employeeStatus' && value !== 0) return t(`accounts:employeeStatus.${value}`)
  if (name === 'billingType' && value !== 0) return t(`accounts:billingType.${value}`)
  return (name === 'yearOfBirth' && value === YEAR_OF_BIRTH_UNSET) || !value ? '' : String(value)
}

const requestOnPerson = requestsOn(
  ({ state, email, profile }: Required<OfficePerson>) => [
    { label: t('field.state'), value: t(`office-people:state.${state}`) },
    { label: t('field.email'), value: email, name: 'email' },
    ...keysOf(profile).map(name => ({
      label: PROFILE_FIELD_LABELS[currentLanguage()][name],
      value: sayValue(name, profile[name]),
      name,
      say: (value: unknown) => sayValue(name, value),
    })),
  ],
  async read => {
    const now = await api.getOfficePerson({ params: { id: read.id } })
    return hasFullProfile(now) ? now : read
  },
)

export const changePerson = (person: Required<OfficePerson>) =>
  requestOnPerson<'change-person'>(person, ({ id: webUserId, name, version, email, profile: given }) => {
    const { billingType, divisionId, employeeStatus, formOfAddress, ...profile } = given
    return {
      act: {
        kind: 'change-person',
        webUserId,
        version,
        email,
        ...profile,
        ...(formOfAddress !== null && { formOfAddress }),
        ...(employeeStatus !== 0 && { employeeStatus }),
        ...(billingType !== 0 && { billingType }),
        ...(divisionId !== 0 && { divisionId }),
      },
      title: t('change.title'),
      about: name,
      confirm: t('change.confirm'),
      form: PersonFields,
    }
  })

export const verifyPerson = (person: Required<OfficePerson>) =>
  requestOnPerson<'verify-person'>(person, ({ id: webUserId, name, version, profile }) => ({
    act: { kind: 'verify-person', webUserId, version },
    title: t('verify.title'),
    about: `${name}, ${profile.personnelNumber}`,
    confirm: t('verify.confirm'),
  }))

/** Returns a function that saves a person's stored data as a file, to answer a request under Art. 15 GDPR. */
export function useDataExport(webUserId: number, name: string) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const language = useLanguage()
  return async (kind: DataFileFormat) => {
    try {
      const data = await withProgress(api.getOfficePersonData({ params: { id: webUserId } }))
      const texts: TranslateWithFallback = (key, otherwise) => t(`accounts:${key}`, { defaultValue: otherwise })
      saveFile(...createDataFile(t('data.fileName', { name }), kind, data, texts, PROFILE_FIELD_LABELS[language]))
    } catch (error) {
      showError(errorMessageOf(error, t('office:noAnswer')))
    }
  }
}

const takenBy = ({ bookings }: Required<OfficePerson>) =>
  bookings.flatMap(({ courseId, bookingStatus }) => (bookingStatus === 0 ? [] : [courseId]))
const nameOf = ({ name, name2 }: BookingOfPerson) => textInLanguage(currentLanguage(), name, name2)

export const bookForPerson = (person: Required<OfficePerson>, courseId = 0): ActRequest<'book'> => ({
  act: { kind: 'book', courseId, webUserId: person.id },
  title: t('book.title'),
  about: person.name,
  confirm: t('book.confirm'),
  form: ({ act, change }: CourseFields) => (
    <CoursePicker
      label={t('book.course')}
      value={act.courseId ?? 0}
      onChange={id => change({ courseId: id })}
      except={takenBy(person)}
    />
  ),
  missing: ({ courseId: chosen = 0 }) => (chosen > 0 ? [] : [t('book.course')]),
  undo: (_answer, act) => cancel(person, act.courseId, t('book.title')),
})

const cancel = (person: Required<OfficePerson>, courseId: number, about: string): ActRequest<'cancel-booking'> => ({
  act: { kind: 'cancel-booking', courseId, webUserId: person.id, charge: 'none' },
  title: t('cancel.title'),
  about: `${person.name}: ${about}`,
  confirm: t('cancel.confirm'),
  undo: () => ({ ...bookForPerson(person, courseId), form: () => null }),
})

/** Locks a person, or unlocks one who is locked. */
export const toggleLock = (
  { id: webUserId, name }: Pick<OfficePerson, 'id' | 'name'>,
  isLocked: boolean,
): ActRequest<'lock-person' | 'unlock-person'> => {
  const key = isLocked ? 'unlock' : 'lock'
  return {
    act: { kind: `${key}-person`, webUserId },
    title: t(`${key}.title`),
    about: name,
    confirm: t(`${key}.confirm`),
    details: ({ result: { drafts = 0 } }) => (
      <p>
        {t(`${key}.about`)} {Number(drafts) > 0 && t('lock.drafts', { count: Number(drafts) })}
      </p>
    ),
    undo: () => toggleLock({ id: webUserId, name }, !isLocked),
  }
}

export function cancelBooking(person: Required<OfficePerson>, booking: BookingOfPerson): ActRequest<'cancel-booking'> {
  const request = cancel(person, booking.courseId, nameOf(booking))
  return booking.bookingStatus === 1
    ? {
        ...request,
        form: fields => <CancellationChargeFields {...fields} terms={booking} />,
        missing: act => (isChargeComplete(act) ? [] : [t('office:charge.amount')]),
      }
    : { ...request, title: t('cancel.leave'), confirm: t('cancel.leave') }
}

export const moveBooking = (person: Required<OfficePerson>, booking: BookingOfPerson): ActRequest<'move-booking'> => ({
  act: { kind: 'move-booking', fromCourseId: booking.courseId, toCourseId: 0, webUserId: person.id },
  title: t('move.title'),
  about: `${person.name}: ${nameOf(booking)}`,
  confirm: t('move.confirm'),
  form: ({ act, change }) => (
    <CoursePicker
      label={t('move.to')}
      value={act.toCourseId ?? 0}
      onChange={toCourseId => change({ toCourseId })}
      except={takenBy(person)}
    />
  ),
  missing: ({ toCourseId = 0 }) => (toCourseId > 0 ? [] : [t('move.to')]),
  undo: (_answer, { fromCourseId, toCourseId }) => ({
    act: { kind: 'move-booking', fromCourseId: toCourseId, toCourseId: fromCourseId, webUserId: person.id },
    title: t('move.back'),
    about: person.name,
  }),
})
