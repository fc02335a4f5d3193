import { useTranslation } from 'react-i18next'
import type { TodayTask } from '#contract/office/today.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Stack, Text } from '#ui/layout.tsx'
import { formatWallClockTime } from '../model.ts'
import { BillingTasks } from './billing-tasks.tsx'
import { PeopleTasks } from './people-tasks.tsx'
import { ScheduleTasks } from './schedule-tasks.tsx'
import { TaskGroup, TaskLine, TaskList, TaskTotals } from './task-list.tsx'
import type { TodayData } from './today-acts.ts'
import { UrgentTasks } from './urgent-tasks.tsx'

const RELEASE_COMMAND = 'mails --release'
const AUDIT_COMMAND = 'audit'

/** List of open tasks with their action buttons, urgent ones first. */
export function TodayTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  return (
    <TaskTotals value={{ totals: today.totals, all: '' }}>
      <Stack as="section" gap="s" aria-labelledby="needs">
        <Text as="h2" id="needs" variant="heading" flush>
          {t('today.needs')}
        </Text>
        <TaskList empty={t('today.nothingToDo')}>
          <BlockedTasks today={today} />
          <UrgentTasks today={today} />
          <BillingTasks />
          <PeopleTasks today={today} />
          <ScheduleTasks today={today} />
        </TaskList>
      </Stack>
    </TaskTotals>
  )
}

/** A single list of tasks with all its lines. */
export function CompleteTaskList({ today, all }: { today: TodayData; all: TodayTask }) {
  const { t } = useTranslation('office')
  return (
    <TaskTotals value={{ totals: today.totals, all }}>
      <TaskList empty={t('today.nothingToDo')}>
        <UrgentTasks today={today} />
        <PeopleTasks today={today} />
        <ScheduleTasks today={today} />
      </TaskList>
    </TaskTotals>
  )
}

/**
 * Problems that staff or the operator must resolve: a directory that removes too many people, e-mails held back since a
 * restore, a wrong public URL of the portal, and an audit log whose end is not stored outside the database.
 */
function BlockedTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { held, wrongAddress, directoryRemovals, isAuditAnchorOutdated } = today
  return (
    <>
      <TaskGroup title={t('today.removals')} weight="now">
        {directoryRemovals && <TaskLine title="" text={t('today.removalsText', directoryRemovals)} />}
      </TaskGroup>
      <TaskGroup title={t('today.held')} weight="now">
        {held && (
          <TaskLine
            title=""
            text={t('today.heldText', {
              at: formatWallClockTime(held.since, language),
              mails: held.mails,
              command: RELEASE_COMMAND,
            })}
          />
        )}
      </TaskGroup>
      <TaskGroup title={t('today.wrongAddress')} weight="now">
        {wrongAddress && <TaskLine title="" text={t('today.wrongAddressText', { address: wrongAddress })} />}
      </TaskGroup>
      <TaskGroup title={t('today.auditAnchor')} weight="now">
        {isAuditAnchorOutdated && <TaskLine title="" text={t('today.auditAnchorText', { command: AUDIT_COMMAND })} />}
      </TaskGroup>
    </>
  )
}
