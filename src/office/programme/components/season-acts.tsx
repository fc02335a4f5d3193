import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { COURSE_FORM_GROUPS, SEASON_FORM_FIELDS } from '#contract/office/programme.ts'
import { api } from '#lib/api.ts'
import { withProgress } from '#lib/progress.ts'
import { type ActRequest, currentDay, requestsOn } from '#office/frame/act-store.ts'
import { CourseSearch } from '#office/frame/components/search-picker.tsx'
import { fetchRow, useCompleteList } from '#office/frame/list-resource.ts'
import { weekdayOf } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Box, FieldGrid, Row, Text } from '#ui/layout.tsx'
import { ALL_COURSE_FIELDS, courseTemplateOf, formatShortDay, nextSeason, SEASON_COPY_FIELDS } from '../model.ts'
import type { Season } from '../resource.ts'
import { ActFields, labelFieldValues, missingFieldLabels, type SelectOptionsByKind } from './act-fields.tsx'
import {
  type LessonSeries,
  RoomAndInstructorPickers,
  useFreeRoomsAndInstructors,
} from './room-and-instructor-pickers.tsx'

const t = i18next.getFixedT(null, 'office-programme')

type Props = { change(fields: Record<string, unknown>): void }

/** Prefills the form for a new course with the fields of an existing one. */
function CourseTemplate({ change, onTake }: Props & { onTake(columns: Record<string, unknown>): void }) {
  const { t } = useTranslation('office-programme')
  const [chosen, setChosen] = useState('')
  const take = async (id: number) => {
    const { columns, course } = await api.getOfficeCourse({ params: { id } })
    setChosen(`${course.number} ${course.name}`)
    change(courseTemplateOf(columns))
    onTake(columns)
  }
  return <CourseSearch label={t('course.template')} chosen={chosen} onChoose={take} onClear={() => setChosen('')} />
}

/** Prefills the form for a new course with the fields of a template of the department. */
function TemplateChoice({ change }: Props) {
  const { t } = useTranslation('office-programme')
  const templates = useCompleteList('listCourseTemplates').data ?? []
  const [chosen, setChosen] = useState('')
  if (templates.length === 0) return null
  const fieldsOf = (key: string) => templates.find(({ templateId }) => String(templateId) === key)?.fields ?? {}
  const take = (key: string) => {
    // The fields of the template chosen before are taken back.
    const earlier = Object.fromEntries(Object.keys(fieldsOf(chosen)).map(name => [name, undefined]))
    setChosen(key)
    change({ ...earlier, ...fieldsOf(key) })
  }
  return (
    <ChoiceField
      name="template"
      label={t('template.choose')}
      value={chosen}
      options={[
        { value: '', label: t('template.none') },
        ...templates.map(({ templateId, templateName }) => ({ value: String(templateId), label: templateName })),
      ]}
      onChange={take}
    />
  )
}

type SeasonDone = (seasonId: number) => void
const made =
  (onMade: SeasonDone) =>
  ({ result }: { result: Record<string, unknown> }) =>
    onMade(Number(result.seasonId))

/** @param onMade receives the id of the new season */
export const createSeason = (onMade: SeasonDone): ActRequest<'create-season'> => ({
  act: { kind: 'create-season', quiet: false },
  title: t('act.create-season'),
  missing: act => missingFieldLabels(SEASON_FORM_FIELDS, act),
  form: ({ act, change }) => <ActFields fields={SEASON_FORM_FIELDS} act={act} change={change} />,
  onDone: made(onMade),
})

const requestOnSeason = requestsOn(
  (season: Season) => [
    ...labelFieldValues(SEASON_FORM_FIELDS, season),
    { label: t('season.draft'), value: t(season.draft ? 'field.yes' : 'field.no') },
  ],
  ({ id }) => fetchRow('listOfficeSeasons', season => season.id === id),
)

export const changeSeason = (read: Season) =>
  requestOnSeason<'change-season'>(read, season => ({
    act: { kind: 'change-season', seasonId: season.id, version: season.version, quiet: false },
    title: t('act.change-season'),
    about: season.name,
    missing: act => (Object.keys(act).length > 4 ? [] : [t('office:act.aChange')]),
    form: fields => <ActFields {...fields} fields={SEASON_FORM_FIELDS} stored={season} />,
  }))

/** @param onMade receives the id of the new season */
export const copySeason = (read: Season, onMade: SeasonDone) =>
  requestOnSeason<'copy-season'>(read, ({ id, version, name, ...season }) => ({
    act: { kind: 'copy-season', seasonId: id, version, quiet: false, ...nextSeason({ name, ...season }) },
    title: t('act.copy-season'),
    about: name,
    missing: act => missingFieldLabels(SEASON_COPY_FIELDS, act),
    form: fields => <ActFields {...fields} fields={SEASON_COPY_FIELDS} />,
    onDone: made(onMade),
  }))

/** Publishes a draft, or turns a published season into a draft. */
export function publishSeason(read: Season) {
  const kind = read.draft ? 'publish-season' : 'unpublish-season'
  const opposite = read.draft ? 'unpublish-season' : 'publish-season'
  return requestOnSeason<typeof kind>(read, ({ id, version, name }) => ({
    act: { kind, seasonId: id, version, quiet: false },
    title: t(`act.${kind}`),
    about: name,
    undo: () => ({
      act: { kind: opposite, seasonId: id, quiet: false },
      title: t(`act.${opposite}`),
      about: name,
    }),
  }))
}

export const publishOrder = (read: Season) =>
  requestOnSeason<'publish-booking-order'>(read, ({ id, version, name }) => ({
    act: { kind: 'publish-booking-order', seasonId: id, version },
    title: t('act.publish-booking-order'),
    about: name,
    details: OrderIsFinal,
  }))

export const removeSeason = (read: Season) =>
  requestOnSeason<'remove'>(read, ({ id, version, name }) => ({
    act: { kind: 'remove', what: 'season', id, version },
    title: t('act.remove-season'),
    about: name,
  }))

/**
 * A new course in a future season spans the whole season by default.
 * @param template fields that differ
 */
export const createCourse = (
  { id, startsAt, endsAt }: Pick<Season, 'id' | 'startsAt' | 'endsAt'>,
  options: SelectOptionsByKind,
  template = {},
): ActRequest<'create-course'> => ({
  act: {
    kind: 'create-course',
    seasonId: id,
    quiet: false,
    ...(startsAt && endsAt && startsAt > currentDay() && { start: startsAt, end: endsAt }),
    ...template,
  },
  title: t('act.create-course'),
  isWide: true,
  missing: act => missingFieldLabels(ALL_COURSE_FIELDS, act),
  form: fields => <CourseFormFields {...fields} dates={fields.act.dates} options={options} />,
})

/** A new course like an existing one. */
export async function createParallelCourse(season: Season, options: SelectOptionsByKind, courseId: number) {
  const { columns } = await withProgress(api.getOfficeCourse({ params: { id: courseId } }))
  return createCourse(season, options, courseTemplateOf(columns))
}

function OrderIsFinal() {
  const { t } = useTranslation('office-programme')
  return <Text>{t('season.orderIsFinal')}</Text>
}

type CourseFieldsProps = {
  act: object
  change(fields: object): void
  options: SelectOptionsByKind
  stored?: Readonly<Record<string, unknown>>
  /** null for a new course */
  courseId?: number | null
  /** days of a new course that were chosen individually */
  dates?: readonly string[] | undefined
}

/** Fields that determine on which days lessons are held. */
const SPAN = ['start', 'end', 'day']

export function CourseFormFields({ act, change, options, stored, courseId = null, dates }: CourseFieldsProps) {
  const { t } = useTranslation('office-programme')
  const given: LessonSeries = { ...stored, ...act }
  const [copied, setCopied] = useState('')
  const changeFields = (fields: object) =>
    change({ ...fields, ...(dates && SPAN.some(name => name in fields) && { dates: undefined }) })
  return (
    <>
      {courseId === null && (
        <FieldGrid>
          <TemplateChoice change={changeFields} />
          <CourseTemplate change={changeFields} onTake={columns => setCopied(String(columns.instructorEmails))} />
        </FieldGrid>
      )}
      {COURSE_FORM_GROUPS.map(({ group, fields }, index) => (
        <details key={group} open={index < 3}>
          <summary>
            <Text as="span" variant="heading" flush>
              {t(`group.${group}`)}
            </Text>
          </summary>
          {group === 'where' && (
            <RoomAndInstructorPickers
              course={given}
              courseId={courseId}
              areCopied={copied !== '' && String(given.instructorEmails) === copied}
              change={changeFields}
            />
          )}
          <ActFields fields={fields} act={act} change={changeFields} options={options} stored={stored} />
          {group === 'when' && courseId === null && <CourseDates course={given} dates={dates} change={change} />}
        </details>
      ))}
    </>
  )
}

type CourseDatesProps = {
  course: LessonSeries
  /** days chosen individually; undefined: all days that result from the weekday and the first and last day */
  dates: readonly string[] | undefined
  change(fields: { dates: string[] | undefined }): void
}

/** Calendar for excluding or adding individual days of a new weekly course. Holidays are excluded initially. */
function CourseDates({ course, dates, change }: CourseDatesProps) {
  const { t } = useTranslation('office-programme')
  const { data } = useFreeRoomsAndInstructors(course, null)
  if (!data || data.dates.length + data.holidays.length < 2) return null
  const all = [...data.dates.map(date => ({ date, name: '' })), ...data.holidays].sort((a, b) =>
    a.date.localeCompare(b.date),
  )
  const chosen = dates ?? data.dates
  const toggle = (date: string) => {
    const next = chosen.includes(date) ? chosen.filter(one => one !== date) : [...chosen, date].sort()
    if (next.length > 0) change({ dates: next.join() === data.dates.join() ? undefined : next })
  }
  return (
    <Box as="fieldset" bare>
      <Text as="legend" variant="name">
        {t('dates.title', { count: chosen.length })}
      </Text>
      <Text size="s" flush>
        {t('dates.hint')}
      </Text>
      <Row gap="s">
        {all.map(({ date, name }) => {
          const isIn = chosen.includes(date)
          return (
            <Button key={date} look="quiet" isPill aria-pressed={isIn} onClick={() => toggle(date)}>
              {`${t(`day.${weekdayOf(date)}`)} ${formatShortDay(date)} ${name}`.trim()} {isIn ? '×' : '+'}
            </Button>
          )
        })}
      </Row>
    </Box>
  )
}
