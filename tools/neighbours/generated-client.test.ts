import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import { createOpenApiDocument } from '../../server/features/system/openapi.ts'
import { hasModule, PYTHON } from './programs.ts'

const run = promisify(execFile)
const description = createOpenApiDocument('https://sport.portal.test')
const folder = await mkdtemp(join(tmpdir(), 'generated-'))
const file = join(folder, 'openapi.json')
afterAll(() => rm(folder, { recursive: true }))

beforeAll(async () => {
  await writeFile(file, JSON.stringify(description))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'))
  await createClient({
    input: file,
    output: { path: join(folder, 'client') },
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', 'zod'],
  })
}, 120_000)

type Media = { example?: unknown; examples?: Record<string, { value: unknown }>; schema?: object } | undefined
const examplesOf = (media: Media): unknown[] => [
  ...(media?.example === undefined ? [] : [media.example]),
  ...Object.values(media?.examples ?? {}).map(({ value }) => value),
]
/** The examples of the description, each with the name of its call. */
const examples = Object.values(description.paths).flatMap(path =>
  Object.values(path).flatMap(({ operationId, requestBody, responses }) =>
    (
      [
        ['Body', requestBody?.content?.['application/json']],
        ['Response', responses?.['200']?.content?.['application/json']],
      ] as [string, Media][]
    ).flatMap(([kind, media]) =>
      examplesOf(media).map(example => ({ name: `${operationId}${kind}`, example, schema: media?.schema })),
    ),
  ),
)

test('the client that @hey-api/openapi-ts generates compiles, and its Zod schemas accept all examples', async () => {
  const { stdout } = await run(
    process.execPath,
    [
      join(import.meta.dirname, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2023,dom,dom.iterable',
      'client/index.ts',
      'client/zod.gen.ts',
    ],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
  const schemas: Record<string, ZodType> = await import(pathToFileURL(join(folder, 'client/zod.gen.ts')).href)
  const schemaOf = (name: string) => schemas[`z${name.charAt(0).toUpperCase()}${name.slice(1)}`]
  const checked = examples.filter(({ name }) => schemaOf(name))
  expect(checked.length).toBeGreaterThan(100)
  const refused = checked.flatMap(({ name, example }) => {
    const result = schemaOf(name)?.safeParse(example)
    return result?.success ? [] : [`${name}: ${JSON.stringify(result?.error.issues[0])}`]
  })
  expect(refused).toEqual([])
})

const VALIDATOR = `
import json, sys
from jsonschema import Draft202012Validator
document, examples = json.load(sys.stdin)
for one in examples:
    schema = dict(one['schema'] or {}, components=document['components'])
    for error in Draft202012Validator(schema).iter_errors(one['example']):
        print(one['name'], error.json_path, error.message[:200])`

test.skipIf(!hasModule('jsonschema'))("Python's jsonschema accepts all examples", async () => {
  const asked = run(PYTHON, ['-c', VALIDATOR])
  asked.child.stdin?.end(JSON.stringify([description, examples]))
  expect(examples.length).toBeGreaterThan(100)
  expect(await asked).toEqual({ stdout: '', stderr: '' })
})
