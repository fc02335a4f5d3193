import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openTestDatabase } from '#server/test/database.ts'
import { insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'

const database = await openTestDatabase()
afterEach(stopPortals)

test.each(['1', '2'])(
  'with %s processes, the metrics cover calls, people and the database',
  async processes => {
    const port = await findFreePort()
    const portal = startPortal({
      DATABASE_URL: database.url,
      PROCESSES: processes,
      METRICS_PORT: String(port),
      OFFICE_PASSKEY: 'off',
    })
    const url = await portal.url()
    const course = await insertCourse(database.db, { capacity: 1 })
    const people = await Promise.all([1, 2].map(() => insertUserWithSession(database.db)))
    await insertBooking(database.db, course.id, people[0]?.id as number)
    await insertBooking(database.db, course.id, people[1]?.id as number)
    for (let call = 0; call < 10; call++) await fetch(`${url}/api/config`)
    await fetch(`${url}/api/activate/a-secret-of-somebody`)
    await fetch(`${url}/api/course/coursebooking`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', SessionToken: people[0]?.token ?? '' },
      body: JSON.stringify({ id: course.id }),
    })
    await fetch(`${url}/api/session?email=nobody@demo.example&password=wrong`)

    const scrape = () => fetch(`http://127.0.0.1:${port}/metrics`)
    // The job starts with the portal, concurrently with its first calls.
    const readJobs = async () => (await (await scrape()).text()).match(/^portal_job_.*/gm)?.join()
    await expect.poll(readJobs, { timeout: 20_000 }).toContain('retention')
    const scraped = await scrape()
    expect(scraped.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await scraped.text()
    const value = (line: RegExp) =>
      Number(
        text
          .split('\n')
          .find(row => line.test(row))
          ?.split(' ')
          .at(-1),
      )
    expect(value(/^portal_request_duration_seconds_count\{.*route="\/api\/config".*\}/)).toBe(10)
    expect(value(/^portal_places_booked /)).toBeGreaterThanOrEqual(1)
    expect(value(/^portal_people_waiting /)).toBeGreaterThanOrEqual(1)
    expect(value(/^portal_database_up /)).toBe(1)
    expect(value(/^nodejs_eventloop_lag_seconds/)).toBeGreaterThanOrEqual(0)
    expect(value(/^portal_job_last_success_timestamp_seconds\{task="retention"\}/)).toBeGreaterThan(1e9)
    // Every scheduled task has an alarm.
    const tasks = [...text.matchAll(/^portal_job_last_success_timestamp_seconds\{task="([\w-]+)"\}/gm)].map(
      ([, task]) => task,
    )
    const alarms = readFileSync(join(import.meta.dirname, '../../docs/operation/alerts.yml'), 'utf8')
    const watched = [...alarms.matchAll(/task=~?"([\w|-]+)"/g)].flatMap(([, names = '']) => names.split('|'))
    expect(tasks.toSorted()).toEqual(watched.toSorted())
    expect(value(/^portal_audit_anchor_current /)).toBe(1)
    expect(value(/^portal_outgoing_held /)).toBe(0)
    expect(value(/^portal_backup_last_success_timestamp_seconds /)).toBe(0)
    expect(text).not.toContain('a-secret-of-somebody')
    expect(text).not.toContain('nobody@')

    // All metrics used in alarms and the dashboard exist.
    for (const file of ['alerts.yml', 'grafana.json']) {
      const asked = readFileSync(join(import.meta.dirname, '../../docs/operation', file), 'utf8')
      const names = new Set(asked.match(/\b(?:portal|nodejs|process)_[a-z0-9_]+\b/g))
      expect(names.size).toBeGreaterThan(5)
      for (const name of names) expect(text, `${name} of ${file}`).toMatch(new RegExp(`^${name}(?:\\{| )`, 'm'))
    }

    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
  },
  60_000,
)
