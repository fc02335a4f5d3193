import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'wouter'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type BookingOfPerson, getOfficePerson } from '#contract/office-people.ts'
import { FIELD_NAMES, PROFILE_FIELDS, STORED_FIELDS, type StoredField } from '#contract/person.ts'
import { groupOfField, YEAR_OF_BIRTH_UNSET } from '#contract/profile-rules.ts'
import { isOneOf, keysOf } from '#contract/records.ts'
import { pickText } from '#contract/words.ts'
import { toReadableText } from '#features/accounts/data-model.ts'
import { type ActRequest, type Draft, startAct } from '#features/office/act-store.ts'
import { callOffice } from '#features/office/api.ts'
import { DeskPage } from '#features/office/components/desk-page.tsx'
import { ReadingState } from '#features/office/components/reading-state.tsx'
import { useRead } from '#features/office/use-read.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { getOfficePersonData } from './api.ts'
import { BookingList } from './components/booking-list.tsx'
import { CoursePicker } from './components/course-picker.tsx'
import { LetterList } from './components/letter-list.tsx'
import { PersonFields } from './components/person-fields.tsx'
import { sayDay, splitBookings } from './people-model.ts'
import classes from './person-screen.module.css'

type Person = ResponseOf<typeof getOfficePerson>
type Profile = NonNullable<Person['profile']>

/** They stand in the head of the page, or are numbers that say nothing here. */
const ELSEWHERE = [
  ...(['email', 'formOfAddress', 'title', 'givenName', 'familyName'] as const),
  ...(['employeeStatus', 'billingType', 'divisionId'] as const),
]
/** What the department asks first comes first: how to reach the person. */
const FACTS = (['contact', 'home', 'affiliation', 'person'] as const).flatMap(group =>
  PROFILE_FIELDS.filter(
    (field): field is Exclude<StoredField, 'email'> =>
      groupOfField(field) === group && isOneOf(STORED_FIELDS, field) && !isOneOf(ELSEWHERE, field),
  ),
)

const shownValue = (profile: Profile, field: keyof Profile): string => {
  const value = profile[field]
  if (field === 'yearOfBirth' && value === YEAR_OF_BIRTH_UNSET) return ''
  return value === 0 ? '' : String(value ?? '')
}

/** Who has no right to bookings reads a name only. */
const isWhole = (person: Person): person is Required<Person> => person.profile !== undefined

/** One person, all at a glance, and what can be done for them. */
export function PersonScreen() {
  const { t } = useTranslation('office-people')
  const id = Number(useParams<{ id: string }>().id)
  const reading = useRead(getOfficePerson, { params: { id } })
  const person = reading.data
  if (person === null)
    return (
      <DeskPage title={t('person.title')}>
        <ReadingState reading={reading} />
      </DeskPage>
    )
  return isWhole(person) ? <WholePerson person={person} /> : <NamedPerson person={person} />
}

/** What an owner sees, who has no right to bookings. */
function NamedPerson({ person: { name, email } }: { person: Person }) {
  const { t } = useTranslation('office-people')
  return (
    <DeskPage title={name || t('noName')} lead={email || t('person.noEmail')}>
      <p>{t('person.onlyName')}</p>
    </DeskPage>
  )
}

function WholePerson({ person }: { person: Required<Person> }) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const language = useLanguage()
  const acts = usePersonActs(person)
  const { present, former } = splitBookings(person.bookings)
  const { profile, state, isVerified, isOnPayroll, similar } = person
  const marks = [
    profile.employeeStatus !== 0 && t(`accounts:employeeStatus.${profile.employeeStatus}`),
    person.division,
    person.isInstructor && t('person.instructor'),
    t(`office-people:state.${state}`),
    isOnPayroll && t(isVerified ? 'verified.yes' : 'verified.held'),
  ].filter(Boolean)
  return (
    <DeskPage
      title={person.name || t('noName')}
      lead={marks.join(' · ')}
      actions={
        <Button look="primary" onClick={acts.book}>
          {t('book.title')}
        </Button>
      }
    >
      <div className={`${piece('stack', 'loose')} ${classes.person}`}>
        <section className={piece('box', 'stack', 'flush')} aria-labelledby="bookings">
          <h2 id="bookings">{t('person.bookings')}</h2>
          {present.length === 0 && <p className={piece('muted', 'flush')}>{t('person.noBookings')}</p>}
          <BookingList bookings={present} onCancel={acts.cancel} onMove={acts.move} />
          {former.length > 0 && (
            <details>
              <summary>{t('person.former', { count: former.length })}</summary>
              <BookingList bookings={former} />
            </details>
          )}
        </section>
        <section className={piece('box', 'stack', 'flush')} aria-labelledby="facts">
          <h2 id="facts">{t('person.facts')}</h2>
          <dl className={piece('stack', 'close', 'facts')}>
            <div>
              <dt>{t('field.email')}</dt>
              <dd>{person.email ? <a href={`mailto:${person.email}`}>{person.email}</a> : t('person.noEmail')}</dd>
            </div>
            {FACTS.filter(field => shownValue(profile, field) !== '').map(field => (
              <div key={field}>
                <dt>{FIELD_NAMES[language][field]}</dt>
                <dd>
                  {/Phone$/.test(field) ? (
                    <a href={`tel:${shownValue(profile, field).replace(/[^+\d]/g, '')}`}>
                      {shownValue(profile, field)}
                    </a>
                  ) : (
                    shownValue(profile, field)
                  )}
                </dd>
              </div>
            ))}
            {person.rights.length > 0 && (
              <div>
                <dt>{t('person.rights')}</dt>
                <dd>{person.rights.map(right => t(`office:right.${right}`)).join(', ')}</dd>
              </div>
            )}
          </dl>
          <div className={piece('row')}>
            <Button look="quiet" onClick={acts.change}>
              {t('change.title')}
            </Button>
            {isOnPayroll && !isVerified && (
              <Button look="quiet" onClick={acts.verify}>
                {t('verify.title')}
              </Button>
            )}
            <Button look="quiet" onClick={acts.lock}>
              {t(state === 'locked' ? 'unlock.title' : 'lock.title')}
            </Button>
            <Button look="quiet" onClick={acts.message}>
              {t('message.title')}
            </Button>
          </div>
        </section>
        {similar.length > 0 && (
          <section className={piece('box', 'stack', 'flush')} aria-labelledby="similar">
            <h2 id="similar">{t('person.similar')}</h2>
            <p className={piece('muted', 'flush')}>{t('person.similarText')}</p>
            <ul className={piece('bare', 'lined')}>
              {similar.map(other => (
                <li key={other.id} className={piece('spread', 'padded')}>
                  <p className={piece('grow', 'flush')}>
                    <Link href={`/office/people/${other.id}`}>{other.name || t('noName')}</Link>{' '}
                    <span className={piece('muted', 'flush')}>{other.email || t('person.noEmail')}</span>
                  </p>
                  <Button look="quiet" isPill onClick={() => acts.merge(other)}>
                    {t('merge.short')}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {person.letters.length > 0 && (
          <section className={piece('box', 'stack', 'flush')} aria-labelledby="letters">
            <h2 id="letters">{t('letters.title')}</h2>
            <LetterList letters={person.letters} />
          </section>
        )}
        {person.documents.length > 0 && (
          <section className={piece('box', 'stack', 'flush')} aria-labelledby="documents">
            <h2 id="documents">{t('person.documents')}</h2>
            <ul className={piece('bare', 'lined')}>
              {person.documents.map(({ id, documentName, title, createdAt }) => (
                <li key={id} className={piece('spread', 'padded')}>
                  <p className={piece('grow', 'flush')}>
                    {documentName}{' '}
                    <span className={piece('muted', 'flush')}>
                      {title}, {sayDay(createdAt)}
                    </span>
                  </p>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section className={piece('box', 'stack', 'flush')} aria-labelledby="data">
          <h2 id="data">{t('data.title')}</h2>
          <p className={piece('muted', 'flush')}>{t('data.text')}</p>
          <div className={piece('row')}>
            {(['readable', 'json'] as const).map(kind => (
              <Button key={kind} look="quiet" onClick={() => acts.answer(kind)}>
                {t(`data.${kind}`)}
              </Button>
            ))}
          </div>
        </section>
      </div>
    </DeskPage>
  )
}

type CourseFields = { act: { courseId?: number }; change(fields: { courseId: number }): void }

/** What can be done for a person; each act goes through the one dialog. */
function usePersonActs(person: Required<Person>) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const language = useLanguage()
  const [, navigate] = useLocation()
  const { id: webUserId, name } = person
  const taken = person.bookings.flatMap(({ courseId, bookingStatus }) => (bookingStatus === 0 ? [] : [courseId]))
  const nameOf = (booking: BookingOfPerson) => pickText(language, booking.name, booking.name2)
  /** An act about the person, as it would be begun now. */
  const seen = <Kind extends 'change-person' | 'verify-person'>(
    read: Required<Person>,
    begin: (person: Required<Person>) => Omit<ActRequest<Kind>, 'facts' | 'again'>,
  ): ActRequest<Kind> => ({
    ...begin(read),
    facts: [
      { label: t('field.state'), value: t(`office-people:state.${read.state}`) },
      { label: t('field.email'), value: read.email, name: 'email' },
      ...keysOf(read.profile).map(name => ({
        label: FIELD_NAMES[language][name],
        value: sayValue(name, read.profile[name]),
        name,
        say: (value: unknown) => sayValue(name, value),
      })),
    ],
    again: async () => {
      const now = await callOffice(getOfficePerson, { params: { id: webUserId } })
      return seen(isWhole(now) ? now : read, begin)
    },
  })
  const sayValue = (name: keyof Profile, value: unknown) => {
    if (name === 'employeeStatus' && value !== 0) return t(`accounts:employeeStatus.${value}`)
    if (name === 'billingType' && value !== 0) return t(`accounts:billingType.${value}`)
    return (name === 'yearOfBirth' && value === YEAR_OF_BIRTH_UNSET) || !value ? '' : String(value)
  }

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
    isReady: ({ courseId: chosen = 0 }) => chosen > 0,
    undo: (_answer, act) => cancel(act.courseId, t('book.title')),
  })
  const cancel = (courseId: number, about: string): ActRequest<'cancel-booking'> => ({
    act: { kind: 'cancel-booking', courseId, webUserId, charge: 'none' },
    title: t('cancel.title'),
    about: `${name}: ${about}`,
    confirm: t('cancel.confirm'),
    form: ChargeFields,
    undo: () => ({ ...book(courseId), form: () => null }),
  })
  const toggleLock = (isLocked: boolean): ActRequest<'lock-person' | 'unlock-person'> => {
    const key = isLocked ? 'unlock' : 'lock'
    return {
      act: { kind: `${key}-person`, webUserId },
      title: t(`${key}.title`),
      about: name,
      confirm: t(`${key}.confirm`),
      undo: () => toggleLock(!isLocked),
    }
  }
  return {
    book: () => startAct(book()),
    cancel: (booking: BookingOfPerson) => {
      const { form, ...request } = cancel(booking.courseId, nameOf(booking))
      startAct(booking.bookingStatus === 1 && form ? { ...request, form } : { ...request, title: t('cancel.leave') })
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
        isReady: ({ toCourseId = 0 }) => toCourseId > 0,
        undo: (_answer, { fromCourseId, toCourseId }) => ({
          act: { kind: 'move-booking', fromCourseId: toCourseId, toCourseId: fromCourseId, webUserId },
          title: t('move.back'),
          about: name,
          confirm: t('move.back'),
        }),
      }),
    change: () =>
      startAct(
        seen<'change-person'>(
          person,
          ({ version, email, profile: { billingType, divisionId, employeeStatus, ...profile } }) => ({
            act: {
              kind: 'change-person',
              webUserId,
              version,
              email,
              ...profile,
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
    verify: () =>
      startAct(
        seen<'verify-person'>(person, ({ version, profile }) => ({
          act: { kind: 'verify-person', webUserId, version },
          title: t('verify.title'),
          about: `${name}, ${profile.personnelNumber}`,
          confirm: t('verify.confirm'),
        })),
      ),
    lock: () => startAct(toggleLock(person.state === 'locked')),
    merge: (other: { id: number; name: string; email: string }) =>
      startAct<'merge-people'>({
        act: { kind: 'merge-people', webUserId: other.id, intoWebUserId: webUserId },
        title: t('merge.title'),
        about: t('merge.about', {
          from: `${other.name} (${other.email || t('person.noEmail')})`,
          into: `${name} (${person.email || t('person.noEmail')})`,
        }),
        confirm: t('merge.confirm'),
      }),
    message: () => navigate(`/office/messages?to=person&id=${webUserId}&name=${encodeURIComponent(name)}`),
    answer: async (kind: 'readable' | 'json') => {
      try {
        const data = await withProgress(getOfficePersonData(webUserId))
        const isReadable = kind === 'readable'
        const text = isReadable
          ? toReadableText(
              data,
              (key, otherwise) => t(`accounts:${key}`, { defaultValue: otherwise }),
              FIELD_NAMES[language],
            )
          : JSON.stringify(data, null, 2)
        const type = isReadable ? 'text/plain;charset=utf-8' : 'application/json'
        saveFile(new Blob([text], { type }), `${t('data.fileName', { name })}.${isReadable ? 'txt' : 'json'}`)
      } catch (error) {
        showError(messageOf(error, t('office:noAnswer')))
      }
    },
  }
}

type ChargeProps = { act: Draft<'cancel-booking'>; change(fields: Partial<Draft<'cancel-booking'>>): void }

/** What a place costs that is given back late. */
function ChargeFields({ act, change }: ChargeProps) {
  const { t } = useTranslation('office-people')
  return (
    <fieldset className={piece('stack', 'bare')}>
      <legend>{t('charge.legend')}</legend>
      {(['none', 'full'] as const).map(charge => (
        <label key={charge} className={piece('check')}>
          <input type="radio" name="charge" checked={act.charge === charge} onChange={() => change({ charge })} />
          <span>{t(`charge.${charge}`)}</span>
        </label>
      ))}
    </fieldset>
  )
}
