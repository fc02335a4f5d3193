import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import { CLOSING_STEPS, type listClosing } from '#contract/office/money.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { startAct } from '#office/frame/act-store.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { formatDay } from '#office/people/people-model.ts'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { MoneySection } from './money-section.tsx'

type Row = ResponseOf<typeof listClosing>['courses'][number]
type Step = Row['steps'][number]

/** How far each course that is over has come, and who has to act; the courses with most money first. */
export function ClosingSection({ seasonId }: { seasonId: string }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const reading = useResource('listClosing', { query: seasonId === '' ? {} : { seasonId } })
  const board = reading.data
  const setAutomatic = (isAutomatic: boolean) =>
    startAct<'set-closing'>({
      act: { kind: 'set-closing', isAutomatic },
      title: t(isAutomatic ? 'closing.switchOn' : 'closing.switchOff'),
      ...(isAutomatic && { details: ClosingEffect }),
    })
  if (board === null) return <LoadingState reading={reading} />
  const cell = ({ next, actor }: Row, { step, isDone, count }: Step) => {
    if (isDone)
      return (
        <Text as="span" tone="good">
          {t('closing.done')}
        </Text>
      )
    if (step !== next) return count > 0 ? t('closing.open', { count }) : t('closing.later')
    return (
      <Text as="span" tone="todo" weight="semibold">
        {[count > 0 && t('closing.open', { count }), t(`closing.actor.${actor}`)].filter(Boolean).join(' · ')}
      </Text>
    )
  }
  return (
    <MoneySection
      title={t('closing.title', { count: board.courses.length })}
      lead={[t('closing.lead', { count: board.finished }), board.isAutomatic && t('closing.isAutomatic')]
        .filter(Boolean)
        .join(' ')}
      actions={
        <Button look="quiet" isPill onClick={() => setAutomatic(!board.isAutomatic)}>
          {t(board.isAutomatic ? 'closing.switchOff' : 'closing.switchOn')}
        </Button>
      }
    >
      <CompactTable
        caption={t('closing.title', { count: board.courses.length })}
        columns={[
          { label: t('field.course') },
          { label: t('closing.waiting'), isNumber: true },
          ...CLOSING_STEPS.map(step => ({ label: t(`closing.step.${step}`), isWideOnly: true })),
        ]}
        rows={board.courses.map(course => ({
          key: course.courseId,
          cells: [
            <span key="name">
              <Link href={`/office/money/courses/${course.courseId}`}>
                {course.number} {nameInLanguage(language, course)}
              </Link>
              <Text as="span" size="s" block only="phone">
                {course.lastLesson !== null && t('closing.lastLesson', { day: formatDay(course.lastLesson) })}{' '}
                {t('closing.next', {
                  step: t(`closing.step.${course.next}`),
                  actor: t(`closing.actor.${course.actor}`),
                })}
              </Text>
            </span>,
            formatMoney(course.waiting),
            ...course.steps.map(step => cell(course, step)),
          ],
        }))}
      />
    </MoneySection>
  )
}

function ClosingEffect() {
  const { t } = useTranslation('office-money')
  return <Text>{t('closing.effect')}</Text>
}
