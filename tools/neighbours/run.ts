import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from '../../e2e/browsers.ts'
import { npm } from '../../scripts/npm.ts'
import { hasModule } from './programs.ts'

const folder = import.meta.dirname
const root = join(folder, '../..')

function run(command: string, args: string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
const isThere = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

/** Programs of Debian packages; without the right to install them their tests are skipped. */
const PROGRAMS = {
  promtool: 'prometheus',
  'prometheus-node-exporter': 'prometheus-node-exporter',
  qpdf: 'qpdf',
  pdfinfo: 'poppler-utils',
  gs: 'ghostscript',
  minisign: 'minisign',
  python3: 'python3',
  xmllint: 'libxml2-utils',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  caddy: 'caddy',
  ssconvert: 'gnumeric',
  'firefox-esr': 'firefox-esr',
}
/** Modules of Debian's Python. */
const MODULES = {
  openpyxl: 'python3-openpyxl',
  xlsxwriter: 'python3-xlsxwriter',
  jsonschema: 'python3-jsonschema',
  icalendar: 'python3-icalendar',
  vobject: 'python3-vobject',
  stdnum: 'python3-stdnum',
  "ctypes; ctypes.CDLL('libical.so.3')": 'libical3',
}
/** Packages of which only a file is needed: the schemas of ISO 20022. */
const FILES = { '/usr/share/java/hbci4j-core.jar': 'libhbci4j-core-java' }
/** Too large to be installed by the way, or start a server. */
const LARGE = {
  soffice: 'libreoffice-calc-nogui',
  pg_lsclusters: 'postgresql',
  spamassassin: 'spamassassin',
  rspamd: 'rspamd',
  squid: 'squid',
  'systemd-analyze': 'systemd',
  plackup: 'liblemonldap-ng-portal-perl libgd-securityimage-perl libimage-magick-perl',
}
const missing = [
  ...Object.entries(PROGRAMS).flatMap(([program, name]) => (isThere(program) ? [] : name)),
  ...Object.entries(MODULES).flatMap(([module, name]) => (hasModule(module) ? [] : name)),
  ...Object.entries(FILES).flatMap(([path, name]) => (existsSync(path) ? [] : name)),
]
if (missing.length > 0) await installPackages(...missing)
for (const [program, name] of Object.entries({ ...PROGRAMS, ...LARGE }))
  if (!isThere(program)) console.log(`There is no ${program} here: its tests are skipped (apt-get install ${name})`)
for (const [module, name] of Object.entries(MODULES))
  if (!hasModule(module)) console.log(`Python has no ${module} here: its tests are skipped (apt-get install ${name})`)
for (const [path, name] of Object.entries(FILES))
  if (!existsSync(path)) console.log(`There is no ${path} here: its tests are skipped (apt-get install ${name})`)
run(npm.command, [...npm.args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
run(process.execPath, [join(root, 'scripts/build.ts')], root)
run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], root)
run(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    join(folder, 'vitest.config.ts'),
    ...process.argv.slice(2),
  ],
  root,
)
