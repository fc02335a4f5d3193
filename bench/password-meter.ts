import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * What the first key of a new password fetches, compressed: to be run after a build. The words are all that the app knows of the
 * server's dictionaries.
 */
const LIMIT_KB = 60

const folder = join(import.meta.dirname, '..', 'dist', 'assets')
const files = (await readdir(folder, { recursive: true })).filter(name =>
  /(?:^|[/\\])password-(?:strength-worker|words)-[\w-]+\.js\.br$/.test(name),
)
const sizes = await Promise.all(files.map(async name => ({ name, bytes: (await stat(join(folder, name))).size })))
for (const { name, bytes } of sizes) console.log(`${name}: ${(bytes / 1_000).toFixed(1)} KB`)
const sum = sizes.reduce((total, { bytes }) => total + bytes, 0) / 1_000
console.log(`${sum.toFixed(1)} KB, at most ${LIMIT_KB}`)
if (sizes.length === 0 || sum > LIMIT_KB) process.exitCode = 1
