import pino from 'pino'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { openDatabase } from '#server/platform/db/client.ts'
import { findAvailablePort, listen } from '#server/platform/http/listen.ts'

/**
 * Serves the REST API with the database at DATABASE_URL, prints the port, and ends when its standard input is closed.
 */
const config = { ...readConfig(), port: 0 }
const connection = { connectionString: config.databaseUrl ?? '' }
const db = openDatabase({ connection, timeZone: config.timeZone })
const { app } = createApp({ db, config, log: pino({ level: 'silent' }), wakeMailer: () => {} })
const port = await findAvailablePort('127.0.0.1', 0)
const server = await listen(app, '127.0.0.1', port)
console.log(port)

for await (const _ of process.stdin);
await server.close(1000)
await db.close()
