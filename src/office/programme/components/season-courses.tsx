import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { OfficeTable } from '#office/frame/components/office-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { hasAnyRight, weekdayOf } from '#office/frame/model.ts'
import { ButtonLink } from '#ui/button.tsx'
import { formatFullDate } from '../model.ts'
import type { CourseRow, Season } from '../resource.ts'
import { changeCourses, setCourseState } from './course-acts.tsx'
import { CourseCheckFilter, useCheckWords, useCourseChecks } from './course-checks.tsx'

function useCourseColumns({ items, byCourse }: ReturnType<typeof useCourseChecks>): Column<CourseRow>[] {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const wordsOf = useCheckWords()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the findings change only with their list
  return useMemo((): Column<CourseRow>[] => {
    const stateOf = ({ cancelled, confirmed }: CourseRow) =>
      t(cancelled ? 'state.cancelled' : confirmed ? 'state.confirmed' : 'state.open')
    return [
      {
        key: 'name',
        label: t('field.name'),
        isName: true,
        value: row => `${row.number} ${nameInLanguage(language, row)}`,
        show: row => (
          <RecordLink kind="courses" id={row.id}>
            {row.number} {nameInLanguage(language, row)}
          </RecordLink>
        ),
      },
      {
        key: 'when',
        label: t('list.when'),
        value: ({ start, startTime }) => `${(weekdayOf(start) + 6) % 7} ${startTime} ${start}`,
        show: ({ start, startTime }) => `${t(`day.${weekdayOf(start)}`)} ${startTime}`,
      },
      {
        key: 'booked',
        label: t('list.booked'),
        value: ({ booked }) => booked,
        show: ({ booked, places }) => `${booked}/${places}`,
      },
      { key: 'waiting', label: t('list.waiting'), value: ({ waiting }) => waiting, isWideOnly: true },
      {
        key: 'state',
        label: t('list.state'),
        value: stateOf,
        fold: stateOf,
      },
      {
        key: 'recorded',
        label: t('list.recorded'),
        value: row => row.lastRecorded ?? '',
        isWideOnly: true,
        show: row => (row.lastRecorded ? formatFullDate(row.lastRecorded) : ''),
      },
      ...(items === null
        ? []
        : [
            {
              key: 'lacks',
              label: t('checks.label'),
              value: ({ id }: CourseRow) => wordsOf(byCourse.get(id)),
              show: ({ id }: CourseRow) => {
                const words = wordsOf(byCourse.get(id))
                return (
                  words && (
                    <RecordLink kind="courses" id={id} tab="lessons">
                      {words}
                    </RecordLink>
                  )
                )
              },
              fold: ({ id }: CourseRow) => wordsOf(byCourse.get(id)),
              isLong: true,
            },
          ]),
    ]
  }, [t, language, items])
}

type Props = { season: Season; rows: CourseRow[]; isLoading: boolean; mayChange: boolean }

/** The courses of a season, with a filter for those that lack something, and with bulk changes. */
export function SeasonCourses({ season, rows, isLoading, mayChange }: Props) {
  const { t } = useTranslation('office-programme')
  const mayWrite = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings']))
  const rooms = useCompleteList('listRooms', mayChange ? {} : null)
  const checks = useCourseChecks(season, mayChange)
  const columns = useCourseColumns(checks)
  return (
    <OfficeTable
      caption={t('course.list')}
      columns={columns}
      rows={rows.filter(({ id }) => checks.passes(id))}
      idOf={({ id }) => id}
      isLoading={isLoading}
      {...(mayChange && { filters: <CourseCheckFilter checks={checks} /> })}
      {...(mayChange && {
        selection: (selected: CourseRow[], clear: () => void) => (
          <>
            <ActButton look="primary" isPill begin={() => setCourseState('confirm-course', selected, clear)} />
            <ActButton look="quiet" isPill begin={() => changeCourses(selected, rooms.data ?? [], clear)} />
            {mayWrite && (
              <ButtonLink
                look="quiet"
                isPill
                href={`/office/messages?to=filter&courseIds=${selected.map(({ id }) => id).join()}`}
              >
                {t('act.send-message')}
              </ButtonLink>
            )}
            <ActButton look="danger" isPill begin={() => setCourseState('cancel-course', selected, clear)} />
          </>
        ),
      })}
    />
  )
}
