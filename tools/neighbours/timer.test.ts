import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { isInstalled, run } from './programs.ts'

const DAY_MS = 86_400_000

test.skipIf(!isInstalled('systemd-analyze'))(
  'the timer of the backup elapses each night, also when the clocks change',
  async () => {
    const timer = await readFile('packaging/portal-backup.timer', 'utf8')
    const [, calendar = ''] = /^OnCalendar=(.+)$/m.exec(timer) ?? []
    const options = ['--base-time=2026-10-01', '--iterations=400', calendar]
    const { status, output } = run('env', ['TZ=Europe/Berlin', 'systemd-analyze', 'calendar', ...options])
    expect(status, output).toBe(0)
    const days = [...output.matchAll(/ (\d{4}-\d\d-\d\d) [\d:]+ CES?T/g)].map(([, day = '']) => day)
    expect(days).toHaveLength(400)
    const next = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
    expect(days.slice(1)).toEqual(days.slice(0, -1).map(next))
  },
)
