// Entry point of every command. It is plain JavaScript that Node 12 can parse, so that it can start a newer one.
import { fileURLToPath } from 'node:url'
import { isNodeNewEnough, runWithOwnNode } from './platform/process/own-node.mjs'

const commands = {
  serve: './main.ts',
  import: './commands/import.ts',
  office: './commands/office.ts',
  backup: './commands/backup.ts',
  restore: './commands/restore.ts',
  move: './commands/move.ts',
  audit: './commands/audit.ts',
  mails: './commands/mails.ts',
  retention: './commands/retention.ts',
  demo: './commands/demo.ts',
  upgrade: './commands/upgrade.ts',
}
// Process that the portal starts; not for users.
const internalCommands = { worker: './worker.ts' }

const help = `Usage: portal [COMMAND] [ARGUMENT …], or npm run COMMAND -- ARGUMENT …; portal help COMMAND

serve                                   run the portal; also npm start, and without COMMAND
import FOLDER [--dry-run] [--prune]     import a programme from CSV files or Excel workbooks
office add|remove EMAIL RIGHT           grant or revoke a right at the desk
office list                             list all rights
office reset-passkeys EMAIL             delete the passkeys of a person
backup FILE|FOLDER [--keep NUMBER]      back up the portal while it runs
restore FILE [--release] [--key KEY|--unsigned]  restore a backup into an empty database
move DATABASE_URL, move --undo          move to another database, or back
audit                                   check the database for inconsistencies
mails [--given-up|--send-again|--release]  list, resend or release outgoing emails
retention [--dry-run]                   delete personal data whose period has expired
demo --remove                           remove the demo programme
upgrade FILE.tar.gz [--unsigned]        upgrade an installed release
upgrade --undo                          go back from an upgrade that was interrupted

Settings are environment variables: docs/configuration.md`

/** The lines about a command; all of them unless it is known. */
function helpOf(name) {
  const own = help.split('\n').filter(line => line.startsWith(`${name} `) && name in commands)
  return own.length === 0 ? help : `Usage:\n${own.map(line => `portal ${line}`).join('\n')}`
}

function fail(message, status = 1) {
  console.error(message)
  process.exit(status)
}

function explain(error) {
  const { code, message, stack = String(error) } = error
  if (code === 'ERR_MODULE_NOT_FOUND' && /Cannot find package/.test(message)) {
    return fail(`Packages are missing: run npm ci first. ${message.split('\n')[0]}`)
  }
  return import('./platform/process/start-error.ts').then(({ StartError, UsageError }) => {
    if (error instanceof UsageError) return fail(message, 2)
    return fail(error instanceof StartError ? message : stack)
  })
}

// See docs/decisions/0015.
function start([name = 'serve', ...options]) {
  const isAsked = word => word === '--help' || word === '-h'
  if ([name, ...options].some(isAsked) || name === 'help')
    return console.log(helpOf(name === 'help' ? options[0] : name))
  const file = { ...commands, ...internalCommands }[name]
  if (!file) return fail(`Unknown command ${name}: use ${Object.keys(commands).join(', ')}, or help`, 2)
  // Until the portal installs its own signal handlers, there is nothing to clean up.
  if (name === 'serve') for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
  return load(file)
    .then(module => module.run(options))
    .catch(explain)
}

// Loads a command with V8's compile cache, which halves the loading time. The cache is stored next to the packages and
// is as trustworthy as they are.
async function load(command) {
  const { enableCompileCache, flushCompileCache } = await import('node:module')
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/portal', import.meta.url)))
  const module = await import(command)
  // The cache is written at startup, because a portal that is killed has no orderly shutdown.
  flushCompileCache()
  return module
}

if (isNodeNewEnough) start(process.argv.slice(2))
else runWithOwnNode(fileURLToPath(import.meta.url), process.argv.slice(2), true)
