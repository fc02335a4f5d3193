import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, relative, sep } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { findAvailablePort } from '../server/platform/http/listen.ts'

const host = '127.0.0.1'
const root = join(import.meta.dirname, '..')
const apiPort = await findAvailablePort(host, 0)

/** Port of the page. Without PORT, it is Vite's default port or the next free one. */
const port = process.env.PORT ? { port: Number(process.env.PORT), strictPort: true } : {}
/** Sends a changed text to the page, which shows it without reloading (src/i18n/i18n.ts). */
const hotTexts: Plugin = {
  name: 'hot-texts',
  async hotUpdate({ file, read }) {
    const [, language, namespace] = /\/src\/i18n\/(de|en)\/([\w-]+)\.json$/.exec(file) ?? []
    if (this.environment.name !== 'client' || !namespace) return
    this.environment.hot.send('texts', { language, namespace, texts: JSON.parse(await read()) })
    return []
  },
}

/** Whether a file is used by the server, that is, neither a test nor an editor's temporary file. */
const isServerFile = (file: string) =>
  /^(?:server|contract)\/.*\.(?:ts|mjs|json|sql)$/.test(relative(root, file).replaceAll(sep, '/')) &&
  !/\.test\.ts$/.test(file)
/** `node --watch` would lose track of a file that an editor replaces when saving. */
const restartsServer: Plugin = {
  name: 'restarts-server',
  configureServer({ watcher }) {
    watcher.on('all', (_, file) => isServerFile(file) && restart(file))
  },
}

const proxied = ['/api', '/content', '/photos', '/thumbnails', '/robots.txt', '/sitemap.xml']
const target = `http://${host}:${apiPort}`
const vite = await createServer({
  root,
  configLoader: 'native',
  plugins: [hotTexts, restartsServer],
  server: { host, ...port, proxy: Object.fromEntries(proxied.map(path => [path, target])) },
})
await vite.listen()
const url = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''

// If the server has failed, the next file change starts it again.
const startServer = () =>
  spawn(process.execPath, ['server/start.mjs', 'serve', '--api-only'], {
    cwd: root,
    // Base URL of the links in e-mails.
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
  })
let server = startServer()

async function stopServer(): Promise<void> {
  server.kill('SIGTERM')
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
}

let isStopping = false
let isRestarting = false
/** Restarts the server. Changes that arrive while it is stopping are covered by the next start. */
async function restart(file: string): Promise<void> {
  if (isRestarting || isStopping) return
  isRestarting = true
  console.log(`${relative(root, file)} changed: restarting the server`)
  await stopServer()
  isRestarting = false
  if (!isStopping) server = startServer()
}

// Ctrl+C is sent to the whole process group, so the server stops by itself.
const stop = async () => {
  isStopping = true
  await Promise.all([vite.close(), stopServer()])
  process.exit(0)
}
// Vite's own handler would exit before the database is closed.
process.removeAllListeners('SIGTERM')
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
vite.printUrls()
