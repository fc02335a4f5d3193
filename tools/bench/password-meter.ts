import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Compressed size of what the password meter downloads on the first keystroke; requires a build. Its word list is the
 * only part of the server's dictionaries in the app.
 */
const LIMIT_KB = 60

const folder = join(import.meta.dirname, '../..', 'dist', 'assets')
const files = (await readdir(folder, { recursive: true })).filter(name =>
  /(?:^|[/\\])password-(?:strength-worker|words)-[\w-]+\.js\.br$/.test(name),
)
const sizes = await Promise.all(files.map(async name => ({ name, bytes: (await stat(join(folder, name))).size })))
for (const { name, bytes } of sizes) console.log(`${name}: ${(bytes / 1_000).toFixed(1)} KB`)
const sum = sizes.reduce((total, { bytes }) => total + bytes, 0) / 1_000
console.log(`${sum.toFixed(1)} KB, at most ${LIMIT_KB}`)
if (sizes.length === 0 || sum > LIMIT_KB) process.exitCode = 1
