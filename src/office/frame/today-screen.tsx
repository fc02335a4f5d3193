import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TASK_RIGHTS, TODAY_TASK_LABELS } from '#contract/office/tasks.ts'
import { TODAY_TASKS, type TodayTask } from '#contract/office/today.ts'
import { isOneOf } from '#contract/records.ts'
import { nameInLanguage } from '#contract/words.ts'
import { OfficeReportCard } from '#features/reminders/components/office-report-card.tsx'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { useResource, useScreenResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { type KeyFigure, KeyFigures } from './components/key-figures.tsx'
import { LessonTable } from './components/lesson-table.tsx'
import { LoadingState } from './components/loading-state.tsx'
import { OfficePage } from './components/office-page.tsx'
import type { TodayData } from './components/today-acts.ts'
import { CompleteTaskList, TodayTasks } from './components/today-tasks.tsx'
import { addDays, formatNumber, formatWallClockTime, hasAnyRight } from './model.ts'
import { useDownload } from './use-download.ts'
import { useUrlParam } from './use-url-param.ts'

/** Buttons that download today's sheets for the doors of the rooms, and the site access list for plant security. */
function PrintButtons() {
  const { t } = useTranslation('office')
  const download = useDownload()
  return (
    <Row as="span">
      <Button look="quiet" isPill onClick={() => void download(() => api.getRoomSheets())}>
        {t('today.roomSheets')}
      </Button>
      <Button look="quiet" isPill onClick={() => void download(() => api.getGateList())}>
        {t('today.gateList')}
      </Button>
    </Row>
  )
}

export type PortalSetupState = NonNullable<TodayData['setup']>

type Props = { welcome: (setup: PortalSetupState) => ReactNode }

/**
 * Start screen of the office UI: open tasks with their actions, followed by today's and tomorrow's lessons. With the
 * query parameter `all`, it shows a single list of tasks completely.
 */
export function TodayScreen({ welcome }: Props) {
  const [all] = useUrlParam('all')
  return isOneOf(TODAY_TASKS, all) ? <AllTasks list={all} /> : <Overview welcome={welcome} />
}

/** Tasks per request when a list is fetched completely. */
const PAGE_SIZE = '500'

/** Fetches a list of tasks page by page. */
async function fetchAllTasks(all: TodayTask, { signal, show }: { signal: AbortSignal; show(part: TodayData): void }) {
  let whole: TodayData | null = null
  for (;;) {
    const after = whole?.next
    const page: TodayData = await api.getToday({ query: { all, limit: PAGE_SIZE, ...(after && { after }) }, signal })
    whole = { ...page, [all]: [...(whole?.[all] ?? []), ...(page[all] ?? [])] }
    if (!whole.next) return whole
    show(whole)
  }
}

function AllTasks({ list }: { list: TodayTask }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const reading = useScreenResource<TodayData>(`getToday ${list}`, request => fetchAllTasks(list, request))
  return (
    <OfficePage
      title={TODAY_TASK_LABELS[language][list]}
      actions={
        <ButtonLink look="quiet" isPill href="/office">
          {t('today.back')}
        </ButtonLink>
      }
    >
      {reading.data === null ? (
        <LoadingState reading={reading} />
      ) : (
        <CompleteTaskList today={reading.data} all={list} />
      )}
    </OfficePage>
  )
}

function Overview({ welcome }: Props) {
  const { t } = useTranslation('office')
  const reading = useResource('getToday', {})
  const today = reading.data
  if (today?.setup) return welcome(today.setup)
  return (
    <OfficePage title={t('today.title')}>
      {today === null ? <LoadingState reading={reading} /> : <Parts today={today} />}
    </OfficePage>
  )
}

/** current local time in the portal's time zone as 'YYYY-MM-DDTHH:mm' */
const useNow = () => new Date(useLocalTimeMs()).toISOString().slice(0, 16)

function Parts({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const now = useNow()
  const mayReceiveReport = useSession(state => hasAnyRight(state.session?.rights ?? [], TASK_RIGHTS))
  const { lessons } = today
  const isToday = ({ at }: { at: string }) => at.startsWith(today.date)
  const days = lessons && [
    { key: 'today' as const, rows: lessons.filter(isToday), now },
    { key: 'tomorrow' as const, rows: lessons.filter(lesson => !isToday(lesson)), now: '' },
  ]
  return (
    <>
      <TodayFigures today={today} />
      <TodayTasks today={today} />
      {days?.map(({ key, rows, now: line }) => (
        <Stack as="section" key={key} gap="s">
          <Row justify="between">
            <Text as="h2" variant="heading" flush>
              {t(`today.${key}`)} ({rows.length})
            </Text>
            {key === 'today' && <PrintButtons />}
          </Row>
          <LessonTable lessons={rows} label={t(`today.${key}`)} now={line} />
        </Stack>
      ))}
      {mayReceiveReport && <OfficeReportCard />}
    </>
  )
}

/**
 * The number of bookings at the end of each day, derived from the current number and the new bookings per day.
 */
function bookingCurve(daily: readonly number[], booked: number): number[] {
  let total = booked - daily.reduce((sum, count) => sum + count, 0)
  return daily.map(count => {
    total += count
    return total
  })
}

/** Key figures on the Today screen: bookings, people on waiting lists, attendance, and the next start of booking. */
function TodayFigures({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const { figures, openings, totals } = today
  const language = useLanguage()
  const mayList = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings', 'billing']))
  if (!figures) return null
  const { places, booked, waiting, waitingCourses, expected, present, daily } = figures
  const bookingsHref = (query: string) => (mayList ? { href: `/office/bookings?${query}` } : {})
  const next = openings?.[0]
  const all: (KeyFigure | false)[] = [
    {
      key: 'places',
      value: formatNumber(booked),
      of: formatNumber(places),
      label: t('today.figure.places'),
      spark: bookingCurve(daily, booked),
      ...bookingsHref('state=booked&current=1'),
    },
    {
      key: 'daily',
      value: formatNumber(daily.reduce((sum, one) => sum + one, 0)),
      label: t('today.figure.daily'),
      spark: daily,
      ...bookingsHref(`from=${addDays(today.date, 1 - daily.length)}`),
    },
    {
      key: 'waiting',
      value: formatNumber(waiting),
      label: t('today.figure.waiting', { count: waitingCourses }),
      ...bookingsHref('state=waiting&current=1'),
    },
    expected > 0 && {
      key: 'present',
      value: `${Math.round((100 * present) / expected)} %`,
      label: t('today.figure.present'),
    },
    totals.unrecorded !== undefined && {
      key: 'unrecorded',
      value: formatNumber(totals.unrecorded),
      label: t('today.figure.unrecorded'),
      href: '/office?all=unrecorded',
    },
    next !== undefined && {
      key: 'opening',
      value: formatWallClockTime(next.at, language).slice(3, 9),
      label: t('today.figure.opening', { name: nameInLanguage(language, next), time: next.at.slice(11) }),
      href: `/office/season?season=${next.seasonId}`,
    },
  ]
  return <KeyFigures label={t('today.figure.title')} figures={all.filter(one => one !== false)} />
}
