import { type Database, sql } from '#server/db/client.ts'

const PASSWORD = 'Demo-Sport-2026'

const ACCOUNTS = [
  ['employee@demo.example', 'Beschäftigte', 'employee'],
  ['pensioner@demo.example', 'im Ruhestand', 'pensioner'],
  ['insured@demo.example', 'BKK-versichert', 'health-insurance member'],
  ['external@demo.example', 'extern', 'external'],
  ['instructor@demo.example', 'Kursleitung', 'instructor'],
] as const

/** The accounts of the demo programme, to be shown to who starts it; null where it has been cleared away. */
export async function describeDemoAccounts(db: Database): Promise<string | null> {
  const emails = ACCOUNTS.map(([email]) => email)
  const rows = await db.query<{ email: string }>(sql`select email from web_users where email = any(${emails})`)
  if (rows.length === 0) return null
  const present = ACCOUNTS.filter(([email]) => rows.some(row => row.email === email))
  const lines = present.map(([email, german, english]) => `  ${email.padEnd(26)}${german} / ${english}`)
  return [`Demo-Konten / demo accounts, Passwort / password ${PASSWORD}:`, ...lines].join('\n')
}
