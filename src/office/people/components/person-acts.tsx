import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
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
import { type ActRequest, startAct } from '#office/frame/act-store.ts'
import { CancellationChargeFields, isChargeComplete } from '#office/frame/components/charge-fields.tsx'
import { LongTextField } from '#ui/long-text-field.tsx'
import { CoursePicker } from './course-picker.tsx'
import { mergePeopleRequest } from './merge-fields.tsx'
import { PersonFields } from './person-fields.tsx'

export type OfficePerson = ResponseOf<typeof getOfficePerson>
export type OfficeProfile = NonNullable<OfficePerson['profile']>

/** Whether the person's full data is included; without the `bookings` permission, only the name is. */
export const hasFullProfile = (person: OfficePerson): person is Required<OfficePerson> => person.profile !== undefined

type CourseFields = { act: { courseId?: number }; change(fields: { courseId: number }): void }

/** Actions that change or verify a person's profile. After a version conflict, they are rebuilt from current data. */
export function useProfileActs() {
  const { t } = useTranslation(['office-people', 'accounts'])
  const language = useLanguage()
  const seen = <Kind extends 'change-person' | 'verify-person'>(
    read: Required<OfficePerson>,
    begin: (person: Required<OfficePerson>) => Omit<ActRequest<Kind>, 'facts' | 'again'>,
  ): ActRequest<Kind> => ({
    ...begin(read),
    facts: [
      { label: t('field.state'), value: t(`office-people:state.${read.state}`) },
      { label: t('field.email'), value: read.email, name: 'email' },
      ...keysOf(read.profile).map(name => ({
        label: PROFILE_FIELD_LABELS[language][name],
        value: sayValue(name, read.profile[name]),
        name,
        say: (value: unknown) => sayValue(name, value),
      })),
    ],
    again: async () => {
      const now = await api.getOfficePerson({ params: { id: read.id } })
      return seen(hasFullProfile(now) ? now : read, begin)
    },
  })
  const sayValue = (name: keyof OfficeProfile, value: unknown) => {
    if (name === 'employeeStatus' && value !== 0) return t(`accounts:employeeStatus.${value}`)
    if (name === 'billingType' && value !== 0) return t(`accounts:billingType.${value}`)
    return (name === 'yearOfBirth' && value === YEAR_OF_BIRTH_UNSET) || !value ? '' : String(value)
  }
  return {
    change: (person: Required<OfficePerson>) =>
      startAct(
        seen<'change-person'>(
          person,
          ({
            id: webUserId,
            name,
            version,
            email,
            profile: { billingType, divisionId, employeeStatus, formOfAddress, ...profile },
          }) => ({
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
          }),
        ),
      ),
    verify: (person: Required<OfficePerson>) =>
      startAct(
        seen<'verify-person'>(person, ({ id: webUserId, name, version, profile }) => ({
          act: { kind: 'verify-person', webUserId, version },
          title: t('verify.title'),
          about: `${name}, ${profile.personnelNumber}`,
          confirm: t('verify.confirm'),
        })),
      ),
  }
}

/** Returns a function that saves a person's stored data as a file, to answer a request under Art. 15 GDPR. */
function useDataExport(webUserId: number, name: string) {
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

/** Actions on a person, each previewed in the action dialog. */
export function usePersonActs(person: Required<OfficePerson>) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const language = useLanguage()
  const [, navigate] = useLocation()
  const profileActs = useProfileActs()
  const { id: webUserId, name } = person
  const exportData = useDataExport(webUserId, name)
  const taken = person.bookings.flatMap(({ courseId, bookingStatus }) => (bookingStatus === 0 ? [] : [courseId]))
  const nameOf = (booking: BookingOfPerson) => textInLanguage(language, booking.name, booking.name2)

  const book = (courseId = 0): ActRequest<'book'> => ({
    act: { kind: 'book', courseId, webUserId },
    title: t('book.title'),
    about: name,
    confirm: t('book.confirm'),
    form: ({ act, change }: CourseFields) => (
      <CoursePicker
        label={t('book.course')}
        value={act.courseId ?? 0}
        onChange={id => change({ courseId: id })}
        except={taken}
      />
    ),
    missing: ({ courseId: chosen = 0 }) => (chosen > 0 ? [] : [t('book.course')]),
    undo: (_answer, act) => cancel(act.courseId, t('book.title')),
  })
  const cancel = (courseId: number, about: string): ActRequest<'cancel-booking'> => ({
    act: { kind: 'cancel-booking', courseId, webUserId, charge: 'none' },
    title: t('cancel.title'),
    about: `${name}: ${about}`,
    confirm: t('cancel.confirm'),
    undo: () => ({ ...book(courseId), form: () => null }),
  })
  const toggleLock = (isLocked: boolean): ActRequest<'lock-person' | 'unlock-person'> => {
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
      undo: () => toggleLock(!isLocked),
    }
  }
  return {
    book: () => startAct(book()),
    cancel: (booking: BookingOfPerson) => {
      const request = cancel(booking.courseId, nameOf(booking))
      startAct<'cancel-booking'>(
        booking.bookingStatus === 1
          ? {
              ...request,
              form: fields => <CancellationChargeFields {...fields} terms={booking} />,
              missing: act => (isChargeComplete(act) ? [] : [t('office:charge.amount')]),
            }
          : { ...request, title: t('cancel.leave'), confirm: t('cancel.leave') },
      )
    },
    move: (booking: BookingOfPerson) =>
      startAct<'move-booking'>({
        act: { kind: 'move-booking', fromCourseId: booking.courseId, toCourseId: 0, webUserId },
        title: t('move.title'),
        about: `${name}: ${nameOf(booking)}`,
        confirm: t('move.confirm'),
        form: ({ act, change }) => (
          <CoursePicker
            label={t('move.to')}
            value={act.toCourseId ?? 0}
            onChange={toCourseId => change({ toCourseId })}
            except={taken}
          />
        ),
        missing: ({ toCourseId = 0 }) => (toCourseId > 0 ? [] : [t('move.to')]),
        undo: (_answer, { fromCourseId, toCourseId }) => ({
          act: { kind: 'move-booking', fromCourseId: toCourseId, toCourseId: fromCourseId, webUserId },
          title: t('move.back'),
          about: name,
        }),
      }),
    change: () => profileActs.change(person),
    verify: () => profileActs.verify(person),
    lock: () => startAct(toggleLock(person.state === 'locked')),
    noteCall: () =>
      startAct<'note-call'>({
        act: { kind: 'note-call', webUserId, text: '' },
        title: t('timeline.noteCall'),
        about: name,
        form: ({ act, change }) => (
          <LongTextField
            label={t('timeline.callText')}
            required
            value={act.text ?? ''}
            maxLength={2000}
            onChange={text => change({ text })}
          />
        ),
        missing: ({ text = '' }) => (text.trim() === '' ? [t('timeline.callText')] : []),
      }),
    merge: (other?: { id: number; name: string }) => startAct(mergePeopleRequest(t, { id: webUserId, name }, other)),
    message: () => navigate(`/office/messages?to=person&id=${webUserId}&name=${encodeURIComponent(name)}`),
    exportData,
  }
}
