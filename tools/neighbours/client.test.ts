import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServerType, serve } from '@hono/node-server'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../server/http/token.ts'
import { openTestDesk } from '../../server/test/desk.ts'
import { dateFromNow, insertCourse, insertUserWithSession } from '../../server/test/factories.ts'
import { openTestServer } from '../../server/test/server.ts'

const run = promisify(execFile)
const HEAD = `import createClient from 'openapi-fetch'
import type { paths } from './portal.ts'
const [, , baseUrl = '', token = '', service = ''] = process.argv
const portal = createClient<paths>({ baseUrl })
`
/** What somebody else's program does with nothing but the description. */
const PROGRAM = `${HEAD}
const { data: open = [] } = await portal.GET('/api/public/courses', { params: { query: {} } })
const id: number = open[0]?.id ?? 0
const headers = { SessionToken: token }
const booked = await portal.PUT('/api/course/coursebooking', { body: { id }, params: {}, headers })
const status: 0 | 1 | 2 | undefined = booked.data?.bookingStatus
const seasons = await portal.GET('/api/office/courses', { params: { query: {} }, headers: { Authorization: \`Bearer \${service}\` } })
const refused = await portal.PUT('/api/course/coursebooking', { body: { id }, params: {} })
console.log(JSON.stringify([id, status, seasons.data?.items.map(({ booked }) => booked), refused.error?.status]))
`
const WRONG = [
  `await portal.PUT('/api/course/coursebooking', { body: { courseId: 1 }, params: {} })`,
  `await portal.GET('/api/course/booked-by-all', {})`,
]

let listening: ServerType
let url: string
let folder: string
const at = (name: string) => join(folder, name)
const ROOT = join(import.meta.dirname, '../../node_modules/@types')
const OPTIONS =
  '--noEmit --strict --module nodenext --target es2024 --skipLibCheck --allowImportingTsExtensions --types node --typeRoots'
const check = (file: string) =>
  run(
    process.execPath,
    [join(import.meta.dirname, 'node_modules/typescript/bin/tsc'), ...OPTIONS.split(' '), ROOT, at(file)],
    { cwd: folder },
  )

const server = await openTestServer({ isPasskeyRequired: false })
beforeAll(async () => {
  url = await new Promise(resolve => {
    listening = serve({ fetch: server.app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    )
  })
  folder = await mkdtemp(join(tmpdir(), 'portal-client-'))
  await symlink(join(import.meta.dirname, 'node_modules'), at('node_modules'))
  await writeFile(at('package.json'), '{"type":"module"}')
  await writeFile(at('portal.ts'), astToString(await openapiTS(new URL(`${url}/api/openapi.json`))))
})
afterAll(async () => {
  listening.close()
  await rm(folder, { recursive: true })
})

test('a client made from the description books a course, reads as a program, and is told of a refusal', async () => {
  const course = await insertCourse(server.db)
  const person = await insertUserWithSession(server.db)
  const desk = await openTestDesk(server, ['owner'])
  const token = createToken()
  await desk.act({ kind: 'create-token', name: 'Räume', token, scopes: ['programme-read'], expiresOn: dateFromNow(9) })
  await writeFile(at('program.ts'), PROGRAM)
  await check('program.ts')
  const { stdout } = await run(process.execPath, [at('program.ts'), url, person.token, token])
  expect(JSON.parse(stdout)).toEqual([course.id, 1, [1], 'Failed'])
})

test('a program that asks for what there is not is refused before it runs', async () => {
  await writeFile(at('wrong.ts'), `${HEAD}${WRONG.join('\n')}`)
  const refusal = await check('wrong.ts').catch(({ stdout }: { stdout: string }) => stdout)
  expect(String(refusal).match(/wrong\.ts\(\d+/g)).toHaveLength(WRONG.length)
})
