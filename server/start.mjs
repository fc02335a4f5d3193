// Entry point of every command. It is plain JavaScript that Node 12 can parse, so that old versions report a clear
// error.
const [major, minor] = process.versions.node.split('.').map(Number)

// The first versions that run TypeScript without a flag are 22.18 and 23.6. See docs/decisions/0015.
const isNodeNewEnough = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)

const commands = {
  serve: './main.ts',
  import: './commands/import.ts',
  retention: './commands/retention.ts',
  audit: './commands/audit.ts',
  mails: './commands/mails.ts',
  demo: './commands/demo.ts',
  backup: './commands/backup.ts',
  restore: './commands/restore.ts',
  move: './commands/move.ts',
  upgrade: './commands/upgrade.ts',
  // Internal process that only the portal itself starts.
  worker: './runtime/worker.ts',
  office: './commands/office.ts',
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
  return import('./errors/start-error.ts').then(({ StartError, UsageError }) => {
    if (error instanceof UsageError) return fail(message, 2)
    return fail(error instanceof StartError ? message : stack)
  })
}

// See docs/decisions/0015.
function start([name = 'serve', ...options]) {
  if (!Object.keys(commands).includes(name)) {
    return fail(`Unknown command ${name}: use ${Object.keys(commands).join(', ')}`)
  }
  // Until the portal installs its own signal handlers, there is nothing to clean up.
  if (name === 'serve') for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
  return load(commands[name])
    .then(module => module.run(options))
    .catch(explain)
}

// Loads a command with V8's compile cache, which halves the loading time. The cache is stored next to the packages and
// is as trustworthy as they are.
async function load(command) {
  const [{ enableCompileCache, flushCompileCache }, { fileURLToPath }] = await Promise.all([
    import('node:module'),
    import('node:url'),
  ])
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/portal', import.meta.url)))
  const module = await import(command)
  // The cache is written at startup, because a portal that is killed has no orderly shutdown.
  flushCompileCache()
  return module
}

if (isNodeNewEnough) start(process.argv.slice(2))
else {
  fail(
    `Node.js 22.18 or newer is needed, this is ${process.versions.node}. ` +
      'On Linux and Windows npm start brings its own; elsewhere install Node.js 24.',
  )
}
