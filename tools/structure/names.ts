import { isTest, type SourceFile, type Violation } from './source-files.ts'

const FEATURES = [
  'access-log',
  'accounts',
  'attendance',
  'bookings',
  'calendar',
  'certificates',
  'content',
  'courses',
  'feeds',
  'files',
  'gallery',
  'inbox',
  'lessons',
  'money',
  'pages',
  'programme',
  'reminders',
  'session',
  'system',
]

/** Rooms by layer. */
const ROOMS: Record<string, string[]> = {
  'src/features': FEATURES,
  'src/office': ['content', 'frame', 'money', 'people', 'programme', 'shell'],
  'server/features': FEATURES,
  'server/office': ['acts', 'connections', 'content', 'frame', 'money', 'people', 'programme'],
  'server/identity': ['oidc', 'scim'],
}
/** Rooms whose files are named by what they do: page shell of the desk, programme. */
const WITHOUT_LAYERS = /^(?:src\/office\/shell|server\/features\/programme)\//

/** A feature may have several files of one layer with a distinguishing prefix: `search-model.ts`. */
const CLIENT_LAYERS = ['store', 'resource', 'api', 'model', 'sync']
/** Subfolders of a feature. */
const CLIENT_SUBFOLDERS: Record<string, string[]> = { attendance: ['outbox'], courses: ['search', 'week'] }
/** Folder of a server feature with its act handlers, one file per noun. */
const ACTS = 'acts'
const SERVER_LAYERS = ['routes', 'policy', 'rules', 'service', 'repository', 'model', 'cache']

/** Files that belong to no layer, with the reason for the exception. */
const SERVER_EXTRAS: Record<string, string> = {
  'acts/handlers.ts': 'the table of all act handlers',
  'session/authenticate.ts': 'the session behind every call',
  'session/passwords.ts': 'hashing, used by several features',
  'session/common-passwords.bin': 'the common passwords, as fingerprints',
  'session/strength-worker.ts': 'how hard a password is to guess, found beside the requests',
  'attendance/participant-list.ts': 'the PDF',
  'files/file-types.ts': 'the kinds of files by their first bytes',
  'files/pictures.ts': 'the sizes of a picture',
  'feeds/activities.json': "OpenActive's list of activities",
  'system/openapi.ts': 'the description of the interface',
}

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/
const DRAWERS = /^(?:utils?|helpers?|common|misc|shared|index|types|lib|stuff|constants)\.tsx?$/
const FIXED = /^(?:[A-Z]+\.md|LICENSE|Containerfile|\.[\w.-]+|\d{4}_[a-z0-9_]+\.sql)$/
/** Generated or externally defined files, whose names are not checked. */
const FREE = /^(?:demo\/files|docs\/screens|demo\/history)\//

const isLayer = (name: string, layers: string[]) =>
  layers.some(layer => name === `${layer}.ts` || name.endsWith(`-${layer}.ts`) || name.startsWith(`${layer}-`))

/** Name of the file that a test belongs to: tests are next to the file they test, whatever their suffix. */
const subject = (name: string) => name.replace(/\.test(\.tsx?)$/, '$1')

function nameProblem(path: string): string | null {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  if (FREE.test(path) || FIXED.test(name)) return null
  if (!KEBAB.test(name)) return 'the name is not in kebab-case'
  if (DRAWERS.test(name)) return 'a drawer: name the file by what it does'
  const rooms = ROOMS[parts.slice(0, 2).join('/')]
  if (rooms && parts.length > 3) return roomProblem(path, parts, rooms)
  if (parts[0] === 'e2e') return e2eProblem(parts)
  return null
}

function roomProblem(path: string, [side, , noun = '', ...rest]: string[], rooms: string[]): string | null {
  if (!rooms.includes(noun)) return `${noun} is none of the nouns: ${rooms.join(', ')}`
  if (WITHOUT_LAYERS.test(path)) return null
  return side === 'src' ? clientProblem(noun, rest) : serverProblem(noun, rest)
}

function clientProblem(noun: string, rest: string[]): string | null {
  const name = rest.at(-1) ?? ''
  if (rest.length === 2 && rest[0] === 'components')
    return /^use-/.test(name) ? 'a hook: it stands in the folder of its feature' : null
  if (rest.length === 2 && CLIENT_SUBFOLDERS[noun]?.includes(rest[0] ?? '')) return null
  if (rest.length > 1)
    return 'a feature has no folder but components/ (and attendance its outbox/, courses search/ and week/)'
  if (/-screen(?:\.module\.css|\.test\.tsx?|\.tsx)$|^use-[\w-]+\.ts$/.test(name) || isTest(name)) return null
  return isLayer(name, CLIENT_LAYERS) ? null : `neither a screen, a hook nor a layer: ${CLIENT_LAYERS.join(', ')}`
}

function serverProblem(noun: string, rest: string[]): string | null {
  const name = rest.join('/')
  if (rest.length === 2 && rest[0] === ACTS && /\.ts$/.test(name)) return null
  if (rest.length > 1) return 'a feature of the server has no folders but acts/'
  if (isTest(name) || `${noun}/${subject(name)}` in SERVER_EXTRAS) return null
  return isLayer(name, SERVER_LAYERS) ? null : `no layer: ${SERVER_LAYERS.join(', ')}`
}

function e2eProblem([, ...rest]: string[]): string | null {
  const name = rest.join('/')
  return /\.spec\.ts$|^(?:engines\/)?(?:browsers(?:\.test)?|fixtures|portal|mails|driver|patience|[\w-]+-(?:page|fixture|steps|engine))\.ts$/.test(
    name,
  )
    ? null
    : 'neither a spec nor fixtures'
}

/** The portal refuses to start if two migrations have the same number, as after a merge of two branches. */
function checkMigrationNumbers(files: SourceFile[]): Violation[] {
  const paths = files.map(({ path }) => path).filter(path => /\/migrations\/\d{4}_[a-z0-9_]+\.sql$/.test(path))
  const byNumber = Map.groupBy(paths.toSorted(), path => path.replace(/_[a-z0-9_]+\.sql$/, ''))
  return [...byNumber.values()].flatMap(([first, ...others]) =>
    others.map(path => `${path}: the number is that of ${first?.split('/').at(-1)}`),
  )
}

/** Reports file names outside of the naming rules, and migrations with the same number. */
export const checkNames = (files: SourceFile[]): Violation[] => [
  ...files.flatMap(({ path }) => {
    const problem = nameProblem(path)
    return problem ? [`${path}: ${problem}`] : []
  }),
  ...checkMigrationNumbers(files),
]
