import { parseArgs } from 'node:util'
import { optionTakenByNpm } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import { runTool } from '#server/db/tool.ts'
import { UsageError } from '#server/start-error.ts'
import { countMails, listGivenUp, sendAgain } from './given-up.ts'

const USAGE = 'Usage: npm run mails, npm run mails -- --given-up, or npm run mails -- --send-again [NUMBER …]'
const OPTIONS = {
  'given-up': { type: 'boolean', default: false },
  'send-again': { type: 'boolean', default: false },
} as const

type Wish = { name: 'count' } | { name: 'list' } | { name: 'again'; ids: number[] | null }

/** What stands on the command line; null: none of the calls there are. */
function readWish(args: string[]): Wish | null {
  let parsed: { values: { 'given-up': boolean; 'send-again': boolean }; positionals: string[] }
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  } catch {
    // The caller shows how it is called.
    return null
  }
  const { values, positionals } = parsed
  const isAgain = values['send-again']
  if (optionTakenByNpm(Object.keys(OPTIONS)) || (isAgain && values['given-up'])) return null
  if (positionals.some(word => !isAgain || !/^[1-9]\d{0,14}$/.test(word))) return null
  if (isAgain) return { name: 'again', ids: positionals.length > 0 ? positionals.map(Number) : null }
  return { name: values['given-up'] ? 'list' : 'count' }
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

async function fulfil(db: Database, wish: Wish): Promise<string> {
  if (wish.name === 'again') return `To be sent again: ${await sendAgain(db, wish.ids)}`
  if (wish.name === 'count') {
    const { waiting, urgent, oldestAt, givenUp } = await countMails(db)
    const since = oldestAt ? `, the oldest since ${oldestAt.toISOString()}` : ''
    return `Waiting: ${waiting}, ${urgent} of them urgent${since}\nGiven up: ${givenUp}`
  }
  const lines = (await listGivenUp(db)).map(({ id, kind, recipient, createdAt, reason }) =>
    [id, createdAt.toISOString(), kind, recipient, onOneLine(reason)].join('  '),
  )
  return lines.length > 0 ? lines.join('\n') : 'No mail is given up.'
}

/** `npm run mails`. Exit status 0, or 2: no such command line. */
export async function run(args: string[]): Promise<void> {
  const wish = readWish(args)
  if (wish === null) throw new UsageError(USAGE)
  console.log(await runTool('mails', db => fulfil(db, wish)))
}
