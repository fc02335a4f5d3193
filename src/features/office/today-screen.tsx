import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { type KeyFigure, KeyFigures } from './components/key-figures.tsx'
import { LessonTable } from './components/lesson-table.tsx'
import { LoadingState } from './components/loading-state.tsx'
import { OfficePage } from './components/office-page.tsx'
import type { TodayData } from './components/today-acts.ts'
import { TodayTasks } from './components/today-tasks.tsx'
import { formatWallClockTime } from './model.ts'
import { useDownload } from './use-download.ts'

/** Button that downloads today's site access list for plant security, with one page per site. */
function GateListButton() {
  const { t } = useTranslation('office')
  const download = useDownload()
  return (
    <Button look="quiet" isPill onClick={() => void download(() => api.getGateList())}>
      {t('today.gateList')}
    </Button>
  )
}

export type PortalSetupState = NonNullable<TodayData['setup']>

/** Start screen of the office UI: open tasks with their actions, followed by today's and tomorrow's lessons. */
export function TodayScreen({ welcome }: { welcome: (setup: PortalSetupState) => ReactNode }) {
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
            {key === 'today' && <GateListButton />}
          </Row>
          <LessonTable lessons={rows} label={t(`today.${key}`)} now={line} />
        </Stack>
      ))}
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
function TodayFigures({ today: { figures, openings, unrecorded } }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  if (!figures) return null
  const { places, booked, waiting, waitingCourses, expected, present, daily } = figures
  const count = (value: number) => value.toLocaleString(language)
  const next = openings?.[0]
  const all: (KeyFigure | false)[] = [
    {
      key: 'places',
      value: count(booked),
      of: count(places),
      label: t('today.figure.places'),
      spark: bookingCurve(daily, booked),
      href: '/office/season',
    },
    {
      key: 'daily',
      value: count(daily.reduce((sum, one) => sum + one, 0)),
      label: t('today.figure.daily'),
      spark: daily,
    },
    { key: 'waiting', value: count(waiting), label: t('today.figure.waiting', { count: waitingCourses }) },
    expected > 0 && {
      key: 'present',
      value: `${Math.round((100 * present) / expected)} %`,
      label: t('today.figure.present'),
    },
    unrecorded !== undefined && {
      key: 'unrecorded',
      value: count(unrecorded.length),
      label: t('today.figure.unrecorded'),
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
