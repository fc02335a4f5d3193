import * as v from 'valibot'
import { email as emailAddress, MAX_ID, RIGHTS, type Right, right } from '#contract/values.ts'
import { lockAccountByEmail } from '#server/features/accounts/claim-repository.ts'
import { anchorAfterCommand } from '#server/office/frame/audit-anchor-service.ts'
import { ActRejected, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { listRightHolders } from '#server/office/frame/rights-repository.ts'
import { grantRight, resetPasskeys, revokeRight } from '#server/office/frame/rights-service.ts'
import { runActSteps } from '#server/office/frame/service.ts'
import { insertPersonRow } from '#server/office/people/person-repository.ts'
import type { Config } from '#server/platform/config/config.ts'
import { commandLine } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/db/client.ts'
import { runTool } from '#server/platform/db/run-tool.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { UsageError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: ${commandLine('office', 'add EMAIL RIGHT | list | remove EMAIL RIGHT | reset-passkeys EMAIL')}
Rights: ${RIGHTS.join(', ')}`

type Wish =
  | { name: 'list' }
  | { name: 'add' | 'remove'; email: string; right: Right }
  | { name: 'reset'; email: string }

/** Parses the command line; returns null if it is invalid. */
function readWish([name, address, wanted, ...rest]: string[]): Wish | null {
  if (name === 'list') return address === undefined ? { name } : null
  const email = v.safeParse(emailAddress, address)
  if (!email.success || rest.length > 0) return null
  if (name === 'reset-passkeys') return wanted === undefined ? { name: 'reset', email: email.output } : null
  if ((name !== 'add' && name !== 'remove') || !v.is(right, wanted)) return null
  return { name, email: email.output, right: wanted }
}

const KINDS = { add: 'grant-right', remove: 'revoke-right', reset: 'reset-passkeys' } as const

/** Grants a right. If the account does not exist, creates it and e-mails a link for choosing a password. */
async function addHolder(office: OfficeContext, email: string, given: Right): Promise<void> {
  if ((await lockAccountByEmail(office.tx, email)) === null) {
    const id = await insertPersonRow(office.tx, { email }, true)
    office.addAffected({ people: [id] })
    await insertMail(office.tx, { webUserId: id, kind: 'welcome-import', payload: {} })
  }
  await grantRight(office, email, given)
}

/**
 * Executes the command. Changes are performed like actions in the office UI, with an audit log entry and notifications.
 */
async function fulfil(db: Database, config: Config, wish: Wish): Promise<string> {
  if (wish.name === 'list') {
    const lines = (await listRightHolders(db, { limit: MAX_ID, after: 0 })).map(
      ({ email, rights, pending, passkeys }) =>
        `${email}  ${[...rights, ...pending.map(right => `${right} (invited)`)].join(', ')}  (passkeys: ${passkeys})`,
    )
    return lines.length > 0 ? lines.join('\n') : 'Nobody has a right.'
  }
  const work = (office: OfficeContext) => {
    if (wish.name === 'add') return addHolder(office, wish.email, wish.right)
    return wish.name === 'remove' ? revokeRight(office, wish.email, wish.right) : resetPasskeys(office, wish.email)
  }
  await db.transaction(tx =>
    runActSteps(
      tx,
      { ...wish, kind: KINDS[wish.name] },
      { actor: { kind: 'command', rights: RIGHTS }, language: 'en', config },
      async office => {
        await work(office)
        return undefined
      },
    ),
  )
  await anchorAfterCommand(db, config.dataDir)
  return `Done: ${Object.values(wish).join(' ')}`
}

/** `npm run office`. Exit status: 0 success, 1 failure, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  const wish = readWish(args)
  if (wish === null) throw new UsageError(USAGE)
  try {
    console.log(await runTool('office', (db, config) => fulfil(db, config, wish)))
  } catch (error) {
    if (!(error instanceof ActRejected)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
