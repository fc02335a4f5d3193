import { useTranslation } from 'react-i18next'
import { formatTime } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { portalDateTimeAt } from '#lib/format.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { Box, Stack, Text } from '#ui/layout.tsx'
import { type OutboxStatusMessage, outboxStatusMessages } from '../outbox/records.ts'
import { outbox, useAttendanceCounts, useBatchedOutboxView } from '../store.ts'
import classes from './outbox-status-line.module.css'
import { UnreadableEntries } from './unreadable-entries.tsx'

const UNSAID = { visibility: 'hidden' } as const
const BAD = `${classes.line} ${classes.bad}`

/** Number of changes being sent, or the time of the last attempt. */
function WayLine({ saving, waiting }: { saving: number; waiting: number }) {
  const { t } = useTranslation('attendance')
  const { failures, lastTriedAt } = useBatchedOutboxView()
  const isStuck = failures > 0 && lastTriedAt !== null
  const count = saving + waiting
  return (
    <Box fill="sun" className={classes.line}>
      <Text grow flush>
        <Text as="b" variant="name">
          {t(saving > 0 ? 'outbox.saving' : 'outbox.onThisPhone', { count })}
        </Text>{' '}
        {isStuck ? t('outbox.noAnswer', { time: formatTime(portalDateTimeAt(lastTriedAt)) }) : t('outbox.sending')}
      </Text>
      {isStuck && (
        <Button look="quiet" isPill onClick={() => outbox.flush()}>
          {t('outbox.sendNow')}
        </Button>
      )}
    </Box>
  )
}

/** The message that everything is saved. Hidden after the next tap; its space stays reserved. */
function AllSafe({ userId }: { userId: number }) {
  const { t } = useTranslation('attendance')
  const isStill = outboxStatusMessages(useAttendanceCounts().view, userId).some(({ kind }) => kind === 'allSafe')
  return (
    <p className={classes.line}>
      <span style={isStill ? undefined : UNSAID}>{t('outbox.allConfirmed')}</span>
    </p>
  )
}

/**
 * Accepts what others had recorded before a change of everybody arrived, for all people at once. Single changes are
 * decided one by one.
 */
function KeepRecordedButton({ userId }: { userId: number }) {
  const { t } = useTranslation('attendance')
  const bulk = useBatchedOutboxView().entries.filter(
    entry =>
      entry.userId === userId && entry.state === 'overtaken' && entry.kind === 'tick' && entry.ifUnrecorded === true,
  )
  if (bulk.length < 2) return null
  const keep = async () => {
    try {
      for (const entry of bulk) await outbox.discard(entry)
    } catch (error) {
      showError(error instanceof Error ? error.message : t('notStored'))
    }
  }
  return (
    <Button look="quiet" isPill onClick={keep}>
      {t('outbox.keepRecorded', { count: bulk.length })}
    </Button>
  )
}

function StatementLine({ of, userId }: { of: OutboxStatusMessage; userId: number }) {
  const { t } = useTranslation('attendance')
  switch (of.kind) {
    case 'allSafe':
      return <AllSafe userId={userId} />
    case 'unknown':
      return <p className={classes.line}>{t('outbox.unknown')}</p>
    case 'disk':
      return <p className={BAD}>{t(`disk.${of.disk}`)}</p>
    case 'notStored':
      return <p className={BAD}>{t('outbox.notStored', { count: of.count })}</p>
    case 'toDecide':
      return (
        <div className={BAD}>
          <Text grow flush>
            {t('outbox.refused', { count: of.count })}
          </Text>
          <KeepRecordedButton userId={userId} />
        </div>
      )
    case 'others':
      return <p className={classes.line}>{t('instructor.others', { count: of.count })}</p>
    case 'lost':
    case 'shelved':
      return <UnreadableEntries kind={of.kind} items={of.items} />
    default:
      return null
  }
}

/**
 * Sync status of the attendance changes on this device.
 * @param isQuiet hides the "all saved" and "unknown" messages and those about the storage
 */
export function OutboxStatusLine({ isQuiet = false }: { isQuiet?: boolean }) {
  const userId = useSession(state => state.session?.webUserId ?? 0)
  const view = useBatchedOutboxView()
  const statements = outboxStatusMessages(view, userId).filter(
    ({ kind }) => !(isQuiet && (kind === 'allSafe' || kind === 'unknown' || kind === 'disk')),
  )
  const countOf = (wanted: 'saving' | 'waiting') =>
    statements.reduce((sum, of) => sum + (of.kind === wanted ? of.count : 0), 0)
  const [saving, waiting] = [countOf('saving'), countOf('waiting')]
  if (statements.length === 0) return null
  return (
    <Stack gap="s">
      {saving + waiting > 0 && <WayLine saving={saving} waiting={waiting} />}
      {statements.map(of => (
        <StatementLine key={of.kind} of={of} userId={userId} />
      ))}
    </Stack>
  )
}
