import { parseArgs } from 'node:util'
import { commandLine, findOptionConsumedByNpm } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/db/client.ts'
import { runTool } from '#server/platform/db/run-tool.ts'
import {
  countMails,
  findOutgoingSuspensionStart,
  listUndeliverableMails,
  requeueMails,
  resumeOutgoingMessages,
} from '#server/platform/outbox/outbox.ts'
import { UsageError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: ${commandLine('mails', '[--given-up | --send-again [NUMBER …] | --release]')}`
const OPTIONS = {
  'given-up': { type: 'boolean', default: false },
  'send-again': { type: 'boolean', default: false },
  release: { type: 'boolean', default: false },
} as const

type Wish = { name: 'count' | 'list' | 'release' } | { name: 'again'; ids: number[] | null }

/** Parses the command line; returns null if it is invalid. */
function readWish(args: string[]): Wish | null {
  let parsed: { values: Record<keyof typeof OPTIONS, boolean>; positionals: string[] }
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  } catch {
    // Invalid command line: the caller prints the usage.
    return null
  }
  const { values, positionals } = parsed
  const isAgain = values['send-again']
  if (findOptionConsumedByNpm(Object.keys(OPTIONS)) || Object.values(values).filter(Boolean).length > 1) return null
  if (positionals.some(word => !isAgain || !/^[1-9]\d{0,14}$/.test(word))) return null
  if (isAgain) return { name: 'again', ids: positionals.length > 0 ? positionals.map(Number) : null }
  if (values.release) return { name: 'release' }
  return { name: values['given-up'] ? 'list' : 'count' }
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

async function fulfil(db: Database, wish: Wish): Promise<string> {
  if (wish.name === 'again') return `To be sent again: ${await requeueMails(db, wish.ids)}`
  if (wish.name === 'release')
    return (await resumeOutgoingMessages(db))
      ? 'Mails, pushes and webhook calls that waited since the restore are sent.'
      : 'Nothing was held: mails, pushes and webhook calls are sent as ever.'
  if (wish.name === 'count') {
    const { waiting, urgent, oldestAt, givenUp } = await countMails(db)
    const heldSince = await findOutgoingSuspensionStart(db)
    const held = heldSince
      ? `\nHeld since the restore of ${heldSince.toISOString()}: ${commandLine('mails', '--release')}`
      : ''
    const since = oldestAt ? `, the oldest since ${oldestAt.toISOString()}` : ''
    return `Waiting: ${waiting}, ${urgent} of them urgent${since}\nGiven up: ${givenUp}${held}`
  }
  const lines = (await listUndeliverableMails(db)).map(({ id, kind, recipient, createdAt, reason }) =>
    [id, createdAt.toISOString(), kind, recipient, onOneLine(reason)].join('  '),
  )
  return lines.length > 0 ? lines.join('\n') : 'No mail is given up.'
}

/** `npm run mails`. Exit status: 0 success, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  const wish = readWish(args)
  if (wish === null) throw new UsageError(USAGE)
  console.log(await runTool('mails', db => fulfil(db, wish)))
}
