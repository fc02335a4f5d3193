import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import { entriesOf } from '#contract/records.ts'
import { peopleWaiting } from '#server/features/courses/view-repository.ts'
import { isAuditAnchorCurrent } from '#server/office/frame/audit-anchor-service.ts'
import { commandLine } from '#server/platform/config/config.ts'
import { type Database, sql } from '#server/platform/db/client.ts'
import { countMails, findOutgoingSuspensionStart } from '#server/platform/outbox/outbox.ts'
import { readLastBackup } from './backup/backup-state.ts'

type Now = {
  booked: number
  waiting: number
  pushes: number
  oldestPushS: number
  connections: number
  longestStatementS: number
  /** NaN if the portal's database role may not read this number */
  standbys: number
}

type Sources = { db: Database; dataDir: string; checkHealth(): Promise<void> }

/**
 * Adds gauges with values that all servers share, and with the disk usage of this server.
 * @returns function that updates the gauges
 */
export function addPortalGauges(registry: Registry, { db, dataDir, checkHealth }: Sources): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name: `portal_${name}`, help, registers: [registry] })
  const gauges: Record<keyof Now, Gauge> = {
    booked: gauge('places_booked', 'Booked seats in courses that are neither over nor cancelled'),
    waiting: gauge('people_waiting', 'Waiting-list entries of courses that are neither over nor cancelled'),
    pushes: gauge('pushes_waiting', 'Push messages that are not sent yet'),
    oldestPushS: gauge('pushes_oldest_seconds', 'Time since the oldest unsent push message became due, in seconds'),
    connections: gauge('database_connections', 'Connections to the database, from this portal and other clients'),
    longestStatementS: gauge(
      'database_longest_transaction_seconds',
      'Age of the oldest open transaction in the database, in seconds',
    ),
    standbys: gauge(
      'database_standbys',
      'Connected synchronous standby servers; NaN if unknown, for example without the permission to read them',
    ),
  }
  const mails = {
    waiting: gauge('mails_waiting', 'Queued e-mails, excluding undeliverable ones'),
    urgent: gauge(
      'mails_urgent_waiting',
      'Queued e-mails with priority, for example with a link or password that the person is waiting for',
    ),
    givenUp: gauge(
      'mails_given_up',
      `Undeliverable e-mails, which are no longer retried; list them with: ${commandLine('mails', '--given-up')}`,
    ),
    oldest: gauge('mails_oldest_seconds', 'Age of the oldest queued e-mail, in seconds'),
  }
  const anchored = gauge(
    'audit_anchor_current',
    '1 if the audit anchor (hash of the latest audit log entry, stored outside the database) is current, otherwise 0',
  )
  const held = gauge(
    'outgoing_held',
    `1 while e-mails, push messages and webhook events are suspended after a restore; release them with: ${commandLine('mails', '--release')}`,
  )
  const backedUp = gauge(
    'backup_last_success_timestamp_seconds',
    'Unix time of the last backup that was written and verified by reading; 0 if there is none',
  )
  const up = gauge('database_up', '1 if the database commits writes, otherwise 0')
  const free = gauge(
    'data_dir_free_bytes',
    'Free space on the file system of DATA_DIR, in bytes; NaN if the folder cannot be read',
  )
  const readDatabase = async () => {
    const [now, { waiting, urgent, givenUp, oldestAt }, isAnchored, heldSince, backupAt] = await Promise.all([
      db.one<Now>(READ),
      countMails(db),
      isAuditAnchorCurrent(db, dataDir),
      findOutgoingSuspensionStart(db),
      readLastBackup(dataDir),
    ])
    for (const [name, own] of entriesOf(gauges)) own.set(now[name])
    mails.waiting.set(waiting)
    mails.urgent.set(urgent)
    mails.givenUp.set(givenUp)
    mails.oldest.set(oldestAt ? (Date.now() - oldestAt.getTime()) / 1000 : 0)
    anchored.set(Number(isAnchored))
    held.set(Number(heldSince !== null))
    backedUp.set((backupAt?.getTime() ?? 0) / 1000)
  }
  /** Sets the gauges during a database outage: `database_up` to 0, the others to 0 or NaN. */
  const reset = () => {
    for (const own of [...Object.values(gauges), ...Object.values(mails)]) own.reset()
    // The number of standbys is unknown during an outage. The value 0 would trigger the alert for a missing standby.
    gauges.standbys.set(Number.NaN)
  }
  return async () => {
    const [health, reading, disk] = await Promise.allSettled([checkHealth(), readDatabase(), statfs(dataDir)])
    if (reading.status === 'rejected') reset()
    up.set(health.status === 'fulfilled' && reading.status === 'fulfilled' ? 1 : 0)
    free.set(disk.status === 'fulfilled' ? disk.value.bavail * disk.value.bsize : Number.NaN)
  }
}

const READ = sql`
  select
    (select coalesce(sum(least(taken, capacity)), 0)::int from courses where closes_at > clock_timestamp()) as booked,
    (select coalesce(sum(${peopleWaiting}), 0)::int from courses c where closes_at > clock_timestamp()) as waiting,
    (select count(*)::int from outbox where channel = 'push' and sent_at is null) as pushes,
    (select coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8 from outbox
      where channel = 'push' and sent_at is null) as "oldestPushS",
    (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
    (select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 from pg_stat_activity
      where datname = current_database()) as "longestStatementS",
    (select case when count(*) > count(sync_state) then 'NaN'::float8
      else count(*) filter (where sync_state in ('sync', 'quorum')) end from pg_stat_replication) as standbys`
