import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import type { ScreenResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { addDays, mondayOf, weekdayOf } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { FieldGrid, Row, Stack, Text } from '#ui/layout.tsx'
import { formatShortDay, toDateString } from '../model.ts'
import type { AbsenceLesson, ClosureLesson } from '../resource.ts'
import { ActFields } from './act-fields.tsx'

type Affected = AbsenceLesson | ClosureLesson
type Change = {
  courseDateId: number
  cancel?: true | undefined
  date?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
}
type Option = { value: string; label: string }

/** Values of the select that replace nothing. */
const [OPEN, CANCEL, MOVE] = ['', 'cancel', 'move']
const TIME = [
  { name: 'date', kind: 'date' },
  { name: 'startTime', kind: 'time' },
  { name: 'endTime', kind: 'time' },
] as const

/** What replaces the instructor or the room of a lesson. */
type Replacement<Lesson, Own> = {
  /** options of the select: those that are free, and others listed last */
  optionsOf(lesson: Lesson): { free: Option[]; busy?: Option[] }
  /** the option that a change has chosen; '' if it moves the lesson */
  chosenOf(change: Own): string
  toChange(value: string): Omit<Own, 'courseDateId'>
}

type Props<Lesson, Own> = Replacement<Lesson, Own> & {
  act: { from?: string; to?: string; lessons?: Own[] }
  change(fields: { from?: string; to?: string; lessons?: Own[] }): void
  /** reads the lessons; null while something is missing that they depend on */
  reading: Omit<ScreenResource<{ lessons: Lesson[] }>, 'change'> | null
  onRead(lessons: readonly Lesson[]): void
  /** buttons that decide at once on lessons that are undecided */
  bulk: readonly { label(count: number): string; decide(undecided: readonly Lesson[]): Own[] }[]
}

/**
 * Fields for the days of an absence or a closure, and for the lessons affected. Each gets a replacement, is moved or
 * cancelled, or remains undecided.
 */
export function AffectedLessons<Lesson extends Affected, Own extends Change>({
  act: { from = '', to = '', lessons: changes = [] },
  change,
  reading,
  onRead,
  bulk,
  ...replacement
}: Props<Lesson, Own>) {
  const { t } = useTranslation('office-programme')
  const lessons = reading?.data?.lessons ?? []
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per response
  useEffect(() => onRead(lessons), [reading?.data])
  const setSpan = (span: { from?: string; to?: string }) => {
    const [first, last] = [span.from ?? from, span.to ?? to]
    const kept = lessons.filter(({ date }) => first <= date && date <= last).map(({ courseDateId }) => courseDateId)
    change({ ...span, lessons: changes.filter(({ courseDateId }) => kept.includes(courseDateId)) })
  }
  const changeOf = (lesson: Lesson) => changes.find(({ courseDateId }) => courseDateId === lesson.courseDateId)
  const set = ({ courseDateId }: Lesson, next: Own | null) => {
    const others = changes.filter(one => one.courseDateId !== courseDateId)
    change({ lessons: next === null ? others : [...others, next] })
  }
  const undecided = lessons.filter(lesson => changeOf(lesson) === undefined)
  const decisions = bulk.map(({ label, decide }) => ({ label, made: decide(undecided) }))
  return (
    <>
      <Span from={from} to={to} onChange={setSpan} />
      {reading && reading.data === null && <LoadingState reading={reading} />}
      {reading && reading.data !== null && (
        <Stack as="section" aria-label={t('absence.lessons', { count: lessons.length })}>
          <Row justify="between">
            <Text as="h3" variant="name" flush>
              {t('absence.lessons', { count: lessons.length })}
            </Text>
            {decisions.map(
              ({ label, made }) =>
                made.length > 0 && (
                  <Button
                    key={label(made.length)}
                    look="quiet"
                    isPill
                    onClick={() => change({ lessons: [...changes, ...made] })}
                  >
                    {label(made.length)}
                  </Button>
                ),
            )}
          </Row>
          <FieldGrid>
            {lessons.map(lesson => (
              <LessonChoice
                key={lesson.courseDateId}
                lesson={lesson}
                given={changeOf(lesson)}
                onChange={next => set(lesson, next)}
                {...replacement}
              />
            ))}
          </FieldGrid>
        </Stack>
      )}
    </>
  )
}

type LessonProps<Lesson, Own> = Replacement<Lesson, Own> & {
  lesson: Lesson
  given: Own | undefined
  onChange(next: Own | null): void
}

function LessonChoice<Lesson extends Affected, Own extends Change>({
  lesson,
  given,
  onChange,
  optionsOf,
  chosenOf,
  toChange,
}: LessonProps<Lesson, Own>) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { courseDateId, date, startTime, endTime, room, booked } = lesson
  const set = (fields: object) => onChange({ courseDateId, ...fields } as Own)
  const choose = (value: string) => {
    if (value === OPEN) onChange(null)
    else if (value === CANCEL) set({ cancel: true })
    else if (value === MOVE) set({ date, startTime, endTime })
    else set(toChange(value))
  }
  const choice = given === undefined ? OPEN : given.cancel ? CANCEL : chosenOf(given) || MOVE
  const { free, busy = [] } = optionsOf(lesson)
  return (
    <Stack gap="s">
      <ChoiceField
        name={`lesson-${courseDateId}`}
        label={`${t(`day.${weekdayOf(date)}`)} ${formatShortDay(date)} ${startTime} · ${nameInLanguage(language, lesson)}`}
        hint={[room, t('absence.booked', { count: booked })].filter(Boolean).join(' · ')}
        value={choice}
        options={[
          { value: OPEN, label: t('absence.open') },
          ...free,
          { value: CANCEL, label: t('lesson.cancel') },
          { value: MOVE, label: t('absence.move') },
          ...busy,
        ]}
        onChange={choose}
      />
      {choice === MOVE && given && (
        <ActFields fields={TIME} act={given} change={fields => onChange({ ...given, ...fields })} />
      )}
    </Stack>
  )
}

type SpanProps = { from: string; to: string; onChange(span: { from?: string; to?: string }): void }

/** First and last day, with buttons for common spans. */
function Span({ from, to, onChange }: SpanProps) {
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
