import i18next from 'i18next'
import { type ComponentProps, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormFieldSpec } from '#contract/tables/fields.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActRequest, courseLabel } from '#office/frame/act-store.ts'
import { CancellationChargeFields, isChargeComplete } from '#office/frame/components/charge-fields.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Box, CheckLabel, Text } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { Participant } from '../resource.ts'
import { ActFields } from './act-fields.tsx'
import { type CourseSummary, type NamedCourse, requestOnCourse } from './course-acts.tsx'

const t = i18next.getFixedT(null, 'office-programme')
const TYPING_MS = 250

type Props = { act: { webUserId?: number }; change(fields: { webUserId: number }): void }

/** Field for finding a person by name, number or e-mail address. */
function BookFields({ act, change }: Props) {
  const { t } = useTranslation('office-programme')
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useResource('listOfficePeople', asked.length < 2 ? null : { query: { q: asked, limit: '20' } })
  return (
    <>
      <TextField label={t('book.search')} hint={t('book.hint')} value={text} onChange={setText} autoComplete="off" />
      <Box as="fieldset" bare aria-live="polite">
        <Text as="legend" variant="name">
          {t('book.who')}
        </Text>
        {data?.items.map(({ id, name, email, personnelNumber }) => (
          <CheckLabel key={id}>
            <input
              type="radio"
              name="person"
              checked={act.webUserId === id}
              onChange={() => change({ webUserId: id })}
            />
            <span>
              {name}
              <Text as="small" size="s" block>
                {[personnelNumber, email].filter(Boolean).join(', ')}
              </Text>
            </span>
          </CheckLabel>
        ))}
        {data?.items.length === 0 && <p>{t('book.nobody')}</p>}
      </Box>
    </>
  )
}

const MESSAGE: FormFieldSpec[] = [
  { name: 'title', kind: 'line', isPair: true, isRequired: true },
  { name: 'text', kind: 'text', isPair: true },
  { name: 'mail', kind: 'flag' },
]

export const bookForCourse = (read: CourseSummary) =>
  requestOnCourse<'book'>(read, course => ({
    act: { kind: 'book', courseId: course.id, version: course.version },
    title: t('act.book'),
    about: courseLabel(course),
    missing: ({ webUserId }) => (webUserId === undefined ? [t('book.search')] : []),
    form: fields => <BookFields {...fields} />,
  }))

export const cancelParticipant = (read: CourseSummary, person: Participant, isWaiting: boolean) =>
  requestOnCourse<'cancel-booking'>(read, course => ({
    act: {
      kind: 'cancel-booking',
      courseId: course.id,
      webUserId: person.webUserId,
      charge: 'none',
      version: course.version,
    },
    title: t('act.cancel-booking'),
    about: `${person.name}, ${courseLabel(course)}`,
    ...(!isWaiting && {
      form: fields => <CancellationChargeFields {...fields} terms={person} />,
      missing: act => (isChargeComplete(act) ? [] : [t('office:charge.amount')]),
    }),
  }))

const needsCourse = ({ toCourseId }: { toCourseId?: number }) => (toCourseId === undefined ? [t('move.to')] : [])

export const moveParticipant = (read: CourseSummary, { webUserId, name }: Participant) =>
  requestOnCourse<'move-booking'>(read, ({ id, version, seasonId, ...course }) => ({
    act: { kind: 'move-booking', fromCourseId: id, webUserId, version },
    title: t('act.move-booking'),
    about: `${name}, ${courseLabel(course)}`,
    missing: needsCourse,
    form: fields => <MoveFields {...fields} seasonId={seasonId} fromCourseId={id} />,
    undo: (_, { toCourseId }) => ({
      act: { kind: 'move-booking', fromCourseId: toCourseId, toCourseId: id, webUserId },
      title: t('act.move-booking'),
      about: `${name}, ${courseLabel(course)}`,
    }),
  }))

/** Moves several participants of a course to another course, one by one. */
export const moveParticipants = (
  course: CourseSummary,
  people: readonly Participant[],
  onDone: () => void,
): ActRequest<'move-booking'> => {
  const [act, ...others] = people.map(({ webUserId }) => ({
    kind: 'move-booking' as const,
    fromCourseId: course.id,
    webUserId,
  }))
  return {
    act: act ?? { kind: 'move-booking' },
    others,
    title: t('people.moveMany', { count: people.length }),
    about: courseLabel(course),
    missing: needsCourse,
    form: fields => (
      <MoveFields {...fields} seasonId={course.seasonId} fromCourseId={course.id} places={people.length} />
    ),
    onDone,
  }
}

const MESSAGE_FORM = {
  missing: ({ title }: { title?: string }) => (title?.trim() ? [] : [t('field.title')]),
  form: (fields: Omit<ComponentProps<typeof ActFields>, 'fields'>) => <ActFields {...fields} fields={MESSAGE} />,
}

/** Sends a message to some participants of a course. */
export const messageParticipants = (
  course: NamedCourse,
  people: readonly Participant[],
  onDone: () => void,
): ActRequest<'send-message'> => {
  const [first, ...others] = people.map(({ webUserId }) => ({
    kind: 'send-message' as const,
    to: 'person' as const,
    id: webUserId,
  }))
  return {
    ...MESSAGE_FORM,
    act: { kind: 'send-message', ...first, mail: true, title: '' },
    others,
    title: t('people.messageMany', { count: people.length }),
    about: courseLabel(course),
    onDone,
  }
}

/** Sends a message to all participants of a course or to its waiting list. */
export const messageCourse = (course: NamedCourse, to: 'course' | 'waiting'): ActRequest<'send-message'> => ({
  ...MESSAGE_FORM,
  act: { kind: 'send-message', to, id: course.id, mail: true, title: '' },
  title: t('act.send-message'),
  about: `${t(`to.${to}`)}: ${courseLabel(course)}`,
})

type MoveFieldsProps = {
  act: { toCourseId?: number }
  change(fields: { toCourseId: number }): void
  seasonId: number
  fromCourseId: number
  /** number of free seats needed */
  places?: number
}

/**
 * Field for selecting the target course of a move. Offers the season's courses that have enough free seats and an empty
 * waiting list.
 */
function MoveFields({ act, change, seasonId, fromCourseId, places: needed = 1 }: MoveFieldsProps) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { data } = useCompleteList('listOfficeCourses', { seasonId })
  const free = (data ?? []).filter(
    ({ id, places, booked, waiting, cancelled }) =>
      id !== fromCourseId && !cancelled && booked + needed <= places && waiting === 0,
  )
  return (
    <ChoiceField
      name="toCourseId"
      label={t('move.to')}
      hint={t('move.hint')}
      required
      placeholder={t('field.choose')}
      value={act.toCourseId === undefined ? '' : String(act.toCourseId)}
      options={free.map(course => ({
        value: String(course.id),
        label: `${course.number} ${nameInLanguage(language, course)} (${t('move.free', { count: course.places - course.booked })})`,
      }))}
      onChange={value => change({ toCourseId: Number(value) })}
    />
  )
}
