import pino from 'pino'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/client.ts'
import { startMailSender } from './sender.ts'

/** Sends the outbox of DATABASE_URL to SMTP_URL until it is killed. A mail under way is free again after LEASE_MS. */
const config = readConfig()
const db = openDatabase({ connection: { connectionString: config.databaseUrl ?? '' }, timeZone: config.timeZone })
startMailSender({ db, config, log: pino({ level: 'silent' }) }, { leaseMs: Number(process.argv[2]), idleMs: 100 })
