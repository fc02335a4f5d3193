import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { useResource } from '#lib/resource.ts'
import { useWallClock } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { DeskPage } from './components/desk-page.tsx'
import { LessonTable } from './components/lesson-table.tsx'
import { LoadingState } from './components/reading-state.tsx'
import type { TodayData } from './components/today-acts.ts'
import { TodayFigures } from './components/today-figures.tsx'
import { TodayTasks } from './components/today-needs.tsx'
import { useDownload } from './use-download.ts'

/** Button that downloads today's gate list for plant security, which has one page per site. */
function GateListButton() {
  const { t } = useTranslation('office')
  const download = useDownload()
  return (
    <Button look="quiet" isPill onClick={() => void download(() => api.getGateList())}>
      {t('today.gateList')}
    </Button>
  )
}

export type PortalSetup = NonNullable<TodayData['setup']>

/** Start screen of the office: open tasks with their actions, followed by today's and tomorrow's lessons. */
export function TodayScreen({ welcome }: { welcome: (setup: PortalSetup) => ReactNode }) {
  const { t } = useTranslation('office')
  const reading = useResource('getToday', {})
  const today = reading.data
  if (today?.setup) return welcome(today.setup)
  return (
    <DeskPage title={t('today.title')}>
      {today === null ? <LoadingState reading={reading} /> : <Parts today={today} />}
    </DeskPage>
  )
}

/** current wall-clock time of the portal as 'YYYY-MM-DDTHH:mm' */
const useNow = () => new Date(useWallClock()).toISOString().slice(0, 16)

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
