import { useTranslation } from 'react-i18next'
import { BILLING_TASKS, countBillingTasks } from '#contract/office/tasks.ts'
import { formatMoney } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { ButtonLink } from '#ui/button.tsx'
import { hasAnyRight } from '../model.ts'
import { TaskGroup, TaskLine } from './task-list.tsx'

/**
 * Billing tasks on the Today screen: courses to settle, outdated settlements, decisions on attendance, sick notes and
 * shift certificates, and amounts on hold.
 */
export function BillingTasks() {
  const { t } = useTranslation('office-money')
  const mayBill = useSession(state => hasAnyRight(state.session?.rights ?? [], ['billing']))
  const { data } = useResource('getOfficeMoney', mayBill ? {} : null)
  if (data === null) return null
  const counts = countBillingTasks(data)
  const amount = data.held.reduce((sum, one) => sum + one.amount, 0)
  const lines = BILLING_TASKS.filter(line => counts[line] > 0)
  return (
    <TaskGroup title={t('title')}>
      {lines.map(line => (
        <TaskLine
          key={line}
          title={t(`today.${line}`, { count: counts[line], amount: formatMoney(amount) })}
          text={t(`today.about.${line}`)}
        >
          <ButtonLink look="text" data-edit href="/office/money">
            {t(`today.act.${line}`)}
          </ButtonLink>
        </TaskLine>
      ))}
    </TaskGroup>
  )
}
