import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wallClockMs } from '#lib/format.ts'
import { Button } from '#ui/button.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { lazyPart } from '#ui/lazy-screen.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LessonRows } from './lesson-rows.tsx'
import { DAY_MS, DAYS_AHEAD, type PlanLesson, planDaysWithin } from './plan-model.ts'

const { screen: PlanMonth } = lazyPart(
  () => import('./plan-month.tsx').then(m => m.PlanMonth),
  <Skeleton rows={1} height={320} />,
)

type Props = {
  plan: readonly PlanLesson[]
  todayMs: number
  /** lessons that the cards above do not already show */
  rest: readonly PlanLesson[]
}

export function PlanDays({ plan, rest, todayMs }: Props) {
  const { t } = useTranslation('plan')
  const [isMonth, setIsMonth] = useState(false)
  const endMs = todayMs + (DAYS_AHEAD + 1) * DAY_MS
  const days = planDaysWithin(rest, todayMs, endMs)
  const isNextSoon = planDaysWithin(plan, todayMs, endMs).length > 0
  return (
    <Stack as="section">
      <Row justify="between" flush>
        <h2>{t('title')}</h2>
        <Row as="fieldset" bare aria-label={t('span')}>
          <Button look="quiet" isPill aria-pressed={!isMonth} onClick={() => setIsMonth(false)}>
            {t('days')}
          </Button>
          <Button look="quiet" isPill aria-pressed={isMonth} onClick={() => setIsMonth(true)}>
            {t('month')}
          </Button>
        </Row>
      </Row>
      {isMonth ? (
        <PlanMonth plan={plan} todayMs={todayMs} />
      ) : (
        <>
          {days.length === 0 && (
            <Text tone="muted" flush>
              {t(isNextSoon ? 'nothingElse' : 'nothing')}
            </Text>
          )}
          {days.map(day => (
            <LessonRows key={wallClockMs(day.day)} {...day} todayMs={todayMs} />
          ))}
        </>
      )}
    </Stack>
  )
}
