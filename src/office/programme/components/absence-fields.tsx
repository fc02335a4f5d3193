import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import type { ActDraft, InitialActDraft } from '#office/frame/act-store.ts'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { NoteFields } from '#office/frame/components/note-fields.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { addDays, mondayOf, weekdayOf } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { FieldGrid, Row, Stack, Text } from '#ui/layout.tsx'
import { formatShortDay, instructorName, toDateString } from '../model.ts'
import type { AbsenceLesson } from '../resource.ts'
import { ActFields } from './act-fields.tsx'

type Absence = InitialActDraft<'set-absence'>
type Change = NonNullable<ActDraft<'set-absence'>['lessons']>[number]
type Props = {
  act: Absence
  change(fields: Partial<ActDraft<'set-absence'>>): void
  onRead(lessons: readonly AbsenceLesson[]): void
}

/** Values of the select that are not e-mail addresses of substitutes. */
const [OPEN, CANCEL, MOVE] = ['', 'cancel', 'move']
const TIME = [
  { name: 'date', kind: 'date' },
  { name: 'startTime', kind: 'time' },
  { name: 'endTime', kind: 'time' },
] as const

const choiceOf = (change: Change | undefined) => {
  if (change === undefined) return OPEN
  if (change.cancel) return CANCEL
  return change.substituteEmail ?? MOVE
}

/** Choice of the absent instructor, for a dialog that was opened without one. */
function InstructorField({ value, onChange }: { value: string; onChange(email: string): void }) {
  const { t } = useTranslation('office-programme')
  const instructors = useCompleteList('listOfficeInstructors')
  return (
    <ChoiceField
      name="instructorEmail"
      label={t('field.instructor')}
      required
      placeholder={t('field.choose')}
      value={value}
      options={(instructors.data ?? []).map(({ email, ...instructor }) => ({
        value: email,
        label: instructorName(instructor),
      }))}
      onChange={onChange}
    />
  )
}

/**
 * Fields for the days of an absence and for the lessons affected. Each lesson gets a substitute, is moved or cancelled,
 * or remains undecided.
 */
export function AbsenceFields({ act, change, onRead }: Props) {
  const { t } = useTranslation('office-programme')
  const { instructorEmail = '', from = '', to = '', lessons: changes = [] } = act
  const isSpan = instructorEmail !== '' && from !== '' && to !== '' && from <= to
  const [wasGiven] = useState(instructorEmail !== '')
  const reading = useResource('listAbsenceLessons', isSpan ? { query: { instructorEmail, from, to } } : null)
  const lessons = reading.data?.lessons ?? []
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per response
  useEffect(() => onRead(lessons), [reading.data])
  const setSpan = (span: { from?: string; to?: string }) => {
    const [first, last] = [span.from ?? from, span.to ?? to]
    const kept = lessons.filter(({ date }) => first <= date && date <= last).map(({ courseDateId }) => courseDateId)
    change({ ...span, lessons: changes.filter(({ courseDateId }) => kept.includes(courseDateId)) })
  }
  const set = (courseDateId: number, next: Omit<Change, 'courseDateId'> | null) => {
    const others = changes.filter(one => one.courseDateId !== courseDateId)
    change({ lessons: next === null ? others : [...others, { courseDateId, ...next }] })
  }
  const coverable = lessons.filter(
    ({ courseDateId, free }) => free.length > 0 && !changes.some(one => one.courseDateId === courseDateId),
  )
  const coverAll = () =>
    change({
      lessons: [
        ...changes,
        ...coverable.flatMap(({ courseDateId, free: [best] }) =>
          best ? [{ courseDateId, substituteEmail: best.email }] : [],
        ),
      ],
    })
  return (
    <>
      {!wasGiven && (
        <InstructorField value={instructorEmail} onChange={email => change({ instructorEmail: email, lessons: [] })} />
      )}
      <Span from={from} to={to} onChange={setSpan} />
      {isSpan && reading.data === null && <LoadingState reading={reading} />}
      {isSpan && reading.data !== null && (
        <Stack as="section" aria-label={t('absence.lessons', { count: lessons.length })}>
          <Row justify="between">
            <Text as="h3" variant="name" flush>
              {t('absence.lessons', { count: lessons.length })}
            </Text>
            {coverable.length > 0 && (
              <Button look="quiet" isPill onClick={coverAll}>
                {t('absence.coverAll', { count: coverable.length })}
              </Button>
            )}
          </Row>
          <FieldGrid>
            {lessons.map(lesson => (
              <LessonChoice
                key={lesson.courseDateId}
                lesson={lesson}
                given={changes.find(({ courseDateId }) => courseDateId === lesson.courseDateId)}
                onChange={next => set(lesson.courseDateId, next)}
              />
            ))}
          </FieldGrid>
        </Stack>
      )}
      <NoteFields act={act} change={change} />
    </>
  )
}

type SpanProps = { from: string; to: string; onChange(span: { from?: string; to?: string }): void }

/** First and last day, with buttons for common spans. */
export function Span({ from, to, onChange }: SpanProps) {
  const { t } = useTranslation('office-programme')
  const today = toDateString(useToday())
  const first = from || today
  const ends = [
    { key: 'day', to: first },
    { key: 'week', to: addDays(mondayOf(first), 6) },
    { key: 'fortnight', to: addDays(first, 13) },
    { key: 'month', to: addDays(first, 27) },
  ]
  return (
    <>
      <FieldGrid>
        <DateTimeField
          kind="date"
          name="from"
          label={t('absence.from')}
          required
          value={from}
          onChange={day => onChange({ from: day })}
        />
        <DateTimeField
          kind="date"
          name="to"
          label={t('absence.to')}
          required
          value={to}
          onChange={day => onChange({ to: day })}
        />
      </FieldGrid>
      <Row as="fieldset" bare>
        <legend className="visually-hidden">{t('absence.span')}</legend>
        {ends.map(end => (
          <Button
            key={end.key}
            look="quiet"
            isPill
            aria-pressed={to === end.to}
            onClick={() => onChange({ from: first, to: end.to })}
          >
            {t(`absence.${end.key}`)}
          </Button>
        ))}
      </Row>
    </>
  )
}

type LessonProps = {
  lesson: AbsenceLesson
  given: Change | undefined
  onChange(next: Omit<Change, 'courseDateId'> | null): void
}

function LessonChoice({ lesson, given, onChange }: LessonProps) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { date, startTime, endTime, room, booked, free, busy } = lesson
  const choose = (value: string) => {
    if (value === OPEN) onChange(null)
    else if (value === CANCEL) onChange({ cancel: true })
    else if (value === MOVE) onChange({ date, startTime, endTime })
    else onChange({ substituteEmail: value })
  }
  const choice = choiceOf(given)
  const options = [
    { value: OPEN, label: t('absence.open') },
    ...free.map(({ email, name, taught }) => ({
      value: email,
      label: [name, t('absence.free'), taught > 0 && t('absence.taught', { count: taught })]
        .filter(Boolean)
        .join(' · '),
    })),
    { value: CANCEL, label: t('lesson.cancel') },
    { value: MOVE, label: t('absence.move') },
    ...busy.map(({ email, name, number, until }) => ({
      value: email,
      label: `${name} · ${t('absence.busy', { number, until })}`,
    })),
  ]
  return (
    <Stack gap="s">
      <ChoiceField
        name={`lesson-${lesson.courseDateId}`}
        label={`${t(`day.${weekdayOf(date)}`)} ${formatShortDay(date)} ${startTime} · ${nameInLanguage(language, lesson)}`}
        hint={[room, t('absence.booked', { count: booked })].filter(Boolean).join(' · ')}
        value={choice}
        options={options}
        onChange={choose}
      />
      {choice === MOVE && given && (
        <ActFields fields={TIME} act={given} change={fields => onChange({ ...given, ...fields })} />
      )}
    </Stack>
  )
}
