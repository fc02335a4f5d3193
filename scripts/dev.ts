import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { findPort } from '../server/http/listen.ts'

const host = '127.0.0.1'
const root = join(import.meta.dirname, '..')
const apiPort = await findPort(host, 0)

/** Port of the page; without PORT, Vite's default or the next free one. */
const port = process.env.PORT ? { port: Number(process.env.PORT), strictPort: true } : {}
/** Sends a changed text to the page, which shows it without a reload (src/i18n/i18n.ts). */
const hotTexts: Plugin = {
  name: 'hot-texts',
  async hotUpdate({ file, read }) {
    const [, language, namespace] = /\/src\/i18n\/(de|en)\/([\w-]+)\.json$/.exec(file) ?? []
    if (this.environment.name !== 'client' || !namespace) return
    this.environment.hot.send('texts', { language, namespace, texts: JSON.parse(await read()) })
    return []
  },
}

const proxied = ['/api', '/content', '/photos', '/thumbnails', '/robots.txt', '/sitemap.xml']
const target = `http://${host}:${apiPort}`
const vite = await createServer({
  root,
  configLoader: 'native',
  plugins: [hotTexts],
  server: { host, ...port, proxy: Object.fromEntries(proxied.map(path => [path, target])) },
})
await vite.listen()
const url = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'server/start.mjs', 'serve', '--api-only'],
  {
    cwd: root,
    // Base URL of links in mails.
    env: {
      PUBLIC_URL: url,
      PROCESSES: '1',
      OFFICE_PASSKEY: 'off',
      ...(!process.env.DATABASE_URL && { DEMO: 'on' }),
      ...process.env,
      HOST: host,
      PORT: String(apiPort),
    },
    stdio: 'inherit',
  },
)

// Ctrl+C reaches the whole process group; the server stops on its own.
const stop = async () => {
  server.kill('SIGTERM')
  await Promise.all([vite.close(), server.exitCode ?? once(server, 'exit')])
  process.exit(0)
}
// Vite's handler would exit before the database is closed.
process.removeAllListeners('SIGTERM')
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
server.once('exit', stop)
vite.printUrls()
