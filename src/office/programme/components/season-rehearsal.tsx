import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Rehearsal, RehearsedCourse } from '#contract/office/rehearsal.ts'
import { nameInLanguage } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { OfficeTable } from '#office/frame/components/office-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Box, Row, Stack, Text } from '#ui/layout.tsx'
import type { CourseRow, Season } from '../resource.ts'
import { changeCourses } from './course-acts.tsx'

type Props = {
  season: Season
  /** seasons whose demand may be used, newest first */
  earlier: readonly Season[]
  courses: readonly CourseRow[]
  onParallel(courseId: number): void
}

/** Rehearses the opening of a draft season with the demand of an earlier one. */
export function SeasonRehearsal({ season, earlier, courses, onParallel }: Props) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const [chosen, setChosen] = useState(String(earlier[0]?.id ?? ''))
  const [state, setState] = useState<Rehearsal | 'running' | { problem: string } | null>(null)
  const run = async () => {
    setState('running')
    const body = { seasonId: season.id, demandSeasonId: Number(chosen) }
    setState(
      await withProgress(api.rehearseOpening({ body })).catch((error: unknown) => ({
        problem: errorMessageOf(error, t('office:noAnswer')),
      })),
    )
  }
  const isRunning = state === 'running'
  const result = state !== null && state !== 'running' && 'courses' in state ? state : null
  return (
    <Stack as="section" gap="s" aria-labelledby="rehearsal">
      <Text as="h2" id="rehearsal" variant="title" flush>
        {t('rehearsal.title')}
      </Text>
      <Text flush>{t('rehearsal.lead')}</Text>
      <Row gap="s">
        <ChoiceField
          label={t('rehearsal.demand')}
          name="demand"
          value={chosen}
          options={earlier.map(one => ({ value: String(one.id), label: nameInLanguage(language, one) }))}
          onChange={setChosen}
        />
        <Button look="primary" isPill disabled={isRunning} onClick={run}>
          {t('rehearsal.run')}
        </Button>
      </Row>
      <div role="status">
        {isRunning && <Text flush>{t('rehearsal.running')}</Text>}
        {state !== null && state !== 'running' && 'problem' in state && <Text flush>{state.problem}</Text>}
        {result && <Summary result={result} />}
      </div>
      {result && result.requests > 0 && (
        <>
          <Gains gains={result.gains} />
          <RehearsedCourses result={result} courses={courses} onParallel={onParallel} />
        </>
      )}
    </Stack>
  )
}

function Summary({ result: { people, requests, unassigned, courses } }: { result: Rehearsal }) {
  const { t } = useTranslation('office-programme')
  const formatAfter = useFormatAfter()
  if (requests === 0) return <Text flush>{t('rehearsal.noDemand', { count: unassigned })}</Text>
  const full = courses.flatMap(({ fullAfterMs }) => fullAfterMs ?? [])
  const unplaced = courses.reduce((sum, course) => sum + course.unplaced, 0)
  const [busiest] = courses.toSorted((a, b) => b.peak - a.peak)
  return (
    <Text flush>
      {[
        t('rehearsal.requests', { people, requests }),
        full.length > 0
          ? t('rehearsal.full', { count: full.length, first: formatAfter(Math.min(...full)) })
          : t('rehearsal.noneFull'),
        ...(busiest && busiest.peak > 1 ? [t('rehearsal.peak', { count: busiest.peak, course: busiest.number })] : []),
        ...(unplaced > 0 ? [t('rehearsal.unplacedSum', { count: unplaced })] : []),
        ...(unassigned > 0 ? [t('rehearsal.unassigned', { count: unassigned })] : []),
      ].join(' ')}
    </Text>
  )
}

/** Returns a function that formats the time after the opening. */
function useFormatAfter() {
  const language = useLanguage()
  return (ms: number): string => {
    const [value, unit] =
      ms < 60_000
        ? [ms / 1_000, 'second']
        : ms < 3_600_000
          ? [ms / 60_000, 'minute']
          : ms < 172_800_000
            ? [ms / 3_600_000, 'hour']
            : [ms / 86_400_000, 'day']
    const maximumFractionDigits = value < 10 && unit === 'second' ? 1 : 0
    // `en-DE`: English words with the number format of amounts.
    return value.toLocaleString(`${language}-DE`, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits })
  }
}

function Gains({ gains }: Pick<Rehearsal, 'gains'>) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  if (gains.length === 0) return null
  return (
    <Box flush>
      <Text as="h3" variant="name" flush>
        {t('rehearsal.gains')}
      </Text>
      <ul>
        {gains.map(gain => {
          const { courseCategoryId, category, category2, city, weekday, hour, people, places } = gain
          return (
            <li key={`${courseCategoryId} ${city} ${weekday} ${hour}`}>
              {t('rehearsal.gain', {
                category: nameInLanguage(language, { name: category, name2: category2 }),
                when: `${t(`day.${weekday}`)} ${t('rehearsal.hour', { hour })}`,
                where: city ? `, ${city}` : '',
                people,
                placed: Math.min(people, places),
              })}
            </li>
          )
        })}
      </ul>
    </Box>
  )
}

type CourseProps = Pick<Props, 'courses' | 'onParallel'> & { result: Rehearsal }
type RehearsedRow = RehearsedCourse & { course: CourseRow }

/** Courses with demand, those with most people without a place first. Selected ones are changed together. */
function RehearsedCourses({ result, courses, onParallel }: CourseProps) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const formatAfter = useFormatAfter()
  const rooms = useCompleteList('listRooms', {})
  const rows = useMemo(() => {
    const byId = new Map(courses.map(course => [course.id, course]))
    return result.courses
      .flatMap((row): RehearsedRow[] => {
        const course = byId.get(row.courseId)
        return course && row.requests > 0 ? [{ ...row, course }] : []
      })
      .sort((a, b) => b.waiting + b.refused - (a.waiting + a.refused) || b.requests - a.requests)
  }, [result, courses])
  const columns: Column<RehearsedRow>[] = [
    {
      key: 'name',
      label: t('field.name'),
      isName: true,
      value: row => `${row.number} ${nameInLanguage(language, row)}`,
      show: row => (
        <RecordLink kind="courses" id={row.courseId}>
          {row.number} {nameInLanguage(language, row)}
        </RecordLink>
      ),
    },
    {
      key: 'requests',
      label: t('rehearsal.column.requests'),
      value: ({ requests }) => requests,
      show: ({ requests, places }) => `${requests}/${places}`,
    },
    {
      key: 'full',
      label: t('rehearsal.column.full'),
      value: ({ fullAfterMs }) => fullAfterMs ?? Number.MAX_SAFE_INTEGER,
      show: ({ fullAfterMs }) => (fullAfterMs === null ? '–' : formatAfter(fullAfterMs)),
      fold: ({ fullAfterMs }) => fullAfterMs !== null && formatAfter(fullAfterMs),
    },
    {
      key: 'without',
      label: t('rehearsal.column.without'),
      value: ({ waiting, refused }) => waiting + refused,
      fold: ({ waiting, refused }) => waiting + refused > 0 && waiting + refused,
    },
    {
      key: 'unplaced',
      label: t('rehearsal.column.unplaced'),
      value: ({ unplaced }) => unplaced,
      isWideOnly: true,
    },
    {
      key: 'neighbours',
      label: t('rehearsal.column.neighbours'),
      value: ({ neighbours }) => neighbours.map(({ number, people }) => `${number}: ${people}`).join(', '),
      isLong: true,
      isWideOnly: true,
    },
  ]
  return (
    <OfficeTable
      caption={t('rehearsal.courses')}
      name="rehearsal"
      columns={columns}
      rows={rows}
      idOf={({ courseId }) => courseId}
      selection={(selected, clear) => (
        <ActButton
          look="primary"
          isPill
          begin={() =>
            changeCourses(
              selected.map(({ course }) => course),
              rooms.data ?? [],
              clear,
            )
          }
        />
      )}
      actions={({ courseId, waiting, refused }) =>
        waiting + refused > 0 && (
          <Button look="quiet" isPill onClick={() => onParallel(courseId)}>
            {t('rehearsal.parallel')}
          </Button>
        )
      }
    />
  )
}
