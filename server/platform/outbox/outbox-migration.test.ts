import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { migrate, migrationsFolder } from '#server/platform/db/migrate.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { startExternalPostgres } from '#server/test/external-postgres.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { leaseDueMessages } from './outbox.ts'

const EARLIER = `
insert into web_users (email, given_name, family_name, employee_status, language)
  values ('ada@demo.example', 'Ada', 'Berg', 1, 'en');
insert into push_subscriptions (web_user_id, endpoint, p256dh, auth) select 1, 'https://push.example/' || n, 'key', 'auth' from generate_series(1, 4) n;
insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed)
  values (1, 'lesson-eve', 'lesson 1', '{"courseId": 1}', now() + interval '5 hours', false);
insert into webhooks (name, url, secret, kinds) values ('payroll', 'https://payroll.example', 'secret', '{booking,waiting-list,promotion,cancellation,course-changed}');
insert into mails (web_user_id, recipient, language, kind, payload, attempts, due_at, sent_at, last_error)
  select 1, what || '@demo.example', 'de', 'password-changed', jsonb_build_object('n', what), attempts, due_at, sent_at, error
  from (values
    ('waiting', 0, now(), null, ''), ('leased', 1, now() + interval '40 s', null, ''),
    ('postponed', 3, now() + interval '9 min', null, '450 greylisted'), ('failed', 9, 'infinity', null, '550 no such user'),
    ('sent', 1, now() - interval '1 h', now(), '')) m (what, attempts, due_at, sent_at, error);
delete from mails where recipient = 'waiting@demo.example';
insert into mails (web_user_id, recipient, language, kind) values (1, 'waiting@demo.example', 'de', 'password-changed');
insert into pushes (alert_id, subscription_id, attempts, due_at, sent_at) values
  (1, 1, 0, now(), null), (1, 2, 1, now() + interval '40 s', null), (1, 3, 2, now() + interval '2 min', null), (1, 4, 1, now(), now());
insert into webhook_deliveries (webhook_id, kind, about, payload, attempts, due_at, taken_until, sent_at, given_up_at, last_status, last_error)
  values
  (1, 'booking', 'waiting', '{"n": "waiting"}', 0, now(), null, null, null, null, ''),
  (1, 'cancellation', 'waiting', '{"n": "second"}', 0, now(), null, null, null, null, ''),
  (1, 'booking', 'leased', '{"n": "leased"}', 1, now(), now() + interval '40 s', null, null, null, ''),
  (1, 'booking', 'crashed', '{"n": "crashed"}', 1, now(), now() - interval '1 s', null, null, null, ''),
  (1, 'booking', 'failing', '{"n": "failing"}', 2, now() + interval '20 s', null, null, null, 503, ''),
  (1, 'booking', 'failed', '{"n": "failed"}', 99, now(), null, null, now(), null, 'ECONNREFUSED'),
  (1, 'booking', 'sent', '{"n": "sent"}', 1, now(), null, now(), null, 204, '')`

async function openEarlierPortal(url: string) {
  const db = openDatabase({ connection: { connectionString: url }, timeZone: 'Europe/Berlin', poolSize: 3 })
  onTestFinished(db.close)
  await db.execute(sql`drop schema public cascade; create schema public`)
  const folder = await mkdtemp(join(tmpdir(), 'before-outbox-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const file of await readdir(migrationsFolder))
    if (file < '0050') await cp(join(migrationsFolder, file), join(folder, file))
  await migrate(db, folder)
  await db.execute(sql.raw(EARLIER))
  return db
}

const servers = {
  embedded: async () => {
    const { url, close } = await createTestDatabase()
    return { url, stop: close }
  },
  external: () => startExternalPostgres(),
}
test.each(['embedded', 'external'] as const)(
  'unsent rows of the earlier queues are migrated and sent once, on the %s PostgreSQL',
  async name => {
    const { url, stop } = await servers[name]()
    onTestFinished(stop)
    const db = await openEarlierPortal(url)
    const ids = sql`select id, recipient, created_at from mails order by id`
    const before = await db.query(ids)
    expect(await migrate(db)).toContain('0050_outbox.sql')
    expect(await db.query(ids), 'the Message-ID and the file name of a mail contain its id').toEqual(before)

    expect(
      await db.query(sql`
        select channel, coalesce(recipient, about, subscription_id::text) as "to", attempts, last_status as status, case
          when sent_at is not null then 'sent' when due_at = 'infinity' then 'given up'
          when due_at <= clock_timestamp() then 'due' else 'later' end as state
        from outbox order by channel, "to", id`),
    ).toEqual([
      { channel: 'mail', to: 'failed@demo.example', attempts: 9, status: null, state: 'given up' },
      { channel: 'mail', to: 'leased@demo.example', attempts: 1, status: null, state: 'later' },
      { channel: 'mail', to: 'postponed@demo.example', attempts: 3, status: null, state: 'later' },
      { channel: 'mail', to: 'sent@demo.example', attempts: 1, status: null, state: 'sent' },
      { channel: 'mail', to: 'waiting@demo.example', attempts: 0, status: null, state: 'due' },
      { channel: 'push', to: '1', attempts: 0, status: null, state: 'due' },
      { channel: 'push', to: '2', attempts: 1, status: null, state: 'later' },
      { channel: 'push', to: '3', attempts: 2, status: null, state: 'later' },
      { channel: 'push', to: '4', attempts: 1, status: null, state: 'sent' },
      { channel: 'webhook', to: 'crashed', attempts: 1, status: null, state: 'due' },
      { channel: 'webhook', to: 'failed', attempts: 99, status: null, state: 'given up' },
      { channel: 'webhook', to: 'failing', attempts: 2, status: 503, state: 'later' },
      { channel: 'webhook', to: 'leased', attempts: 1, status: null, state: 'later' },
      { channel: 'webhook', to: 'sent', attempts: 1, status: 204, state: 'sent' },
      { channel: 'webhook', to: 'waiting', attempts: 0, status: null, state: 'due' },
      { channel: 'webhook', to: 'waiting', attempts: 0, status: null, state: 'due' },
    ])

    expect(await db.one(sql`select kinds from webhooks`)).toEqual({
      kinds: ['booking.created', 'booking.waitlisted', 'booking.promoted', 'booking.cancelled', 'course.changed'],
    })
    const lease = { limit: 100, leaseMs: 60_000 }
    expect(await leaseDueMessages(db, 'push', lease)).toMatchObject([
      { endpoint: 'https://push.example/1', kind: 'lesson-eve', language: 'en', payload: { courseId: 1 } },
    ])
    const calls = await leaseDueMessages(db, 'webhook', lease)
    expect(calls.map(({ kind, payload }) => [kind, payload.n])).toEqual([
      ['booking.created', 'waiting'],
      ['booking.created', 'crashed'],
    ])

    const server = await startTestMailServer()
    onTestFinished(server.close)
    await db.execute(sql`update mails set due_at = clock_timestamp() where due_at < 'infinity' and sent_at is null`)
    const config = { ...readConfig({}), smtpUrl: server.url }
    const sender = startMailSender({ db, config, log: pino({ level: 'silent' }) }, { idleMs: 50 })
    onTestFinished(sender.stop)
    await vi.waitFor(() => expect(server.mails).toHaveLength(3), 10_000)
    expect(server.mails.map(({ to }) => to).sort()).toEqual(
      ['leased', 'postponed', 'waiting'].map(name => `${name}@demo.example`),
    )
  },
  60_000,
)
