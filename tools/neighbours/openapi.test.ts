import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lint } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { afterAll, expect, test } from 'vitest'
import { createOpenApiDocument } from '../../server/features/system/openapi.ts'

const description = createOpenApiDocument('https://sport.portal.test')
const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
const file = join(folder, 'openapi.json')
await writeFile(file, JSON.stringify(description))
afterAll(() => rm(folder, { recursive: true }))

test('Redocly reports no problems, including in examples', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // Redirects and calls that answer no failure of their own.
      'operation-4xx-response': 'off',
      // The software has no licence for others, and each installation another address.
      'info-license': 'off',
      'info-license-strict': 'off',
      // Redirects.
      'operation-2xx-response': 'off',
      // examples.test.ts refuses fields that the contract does not have.
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
      'no-invalid-parameter-examples': 'error',
    },
  })
  const problems = await lint({ ref: file, config })
  const lines = problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
  expect(lines).toEqual([])
})

test('Spectral reports no problems', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset(
    new spectral.Ruleset({
      extends: [[oas, 'recommended']],
      rules: {
        // Knows scopes of OAuth only; OpenAPI 3.1 allows role names with every scheme.
        'oas3-operation-security-defined': 'off',
      },
    }),
  )
  const problems = await linter.run(JSON.stringify(description))
  expect(problems.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
})

test('swagger-parser accepts the description', async () => {
  const api = await SwaggerParser.validate(file)
  expect(Object.keys(api.paths ?? {}).length).toBeGreaterThan(100)
})

/** Paths of numbered enumerations without names. */
function listUnnamed(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { enum: values, 'x-enum-varnames': names } = value as { enum?: unknown[]; 'x-enum-varnames'?: string[] }
  const isUnnamed = Array.isArray(values) && typeof values[0] === 'number' && names?.length !== values.length
  const inner = Object.entries(value).flatMap(([key, one]) => listUnnamed(one, `${at}.${key}`))
  return isUnnamed ? [at, ...inner] : inner
}

test('numeric enum values have names, and responses of GET endpoints have examples', () => {
  expect(listUnnamed(description)).toEqual([])
  const unshown = Object.entries(description.paths).filter(([, { get }]) => {
    const content = get?.responses['200']?.content?.['application/json']
    return content && content.example === undefined
  })
  expect(unshown.map(([path]) => path)).toEqual(['/api/openapi.json'])
})

const PYTHON = `
import json, re, sys
patterns, texts = json.load(sys.stdin)
print(json.dumps([[bool(re.search(p, t)) for t in texts] for p in patterns]))`
const hasPython = spawnSync('python3', ['-c', '']).status === 0

test.runIf(hasPython)('patterns mean the same in Python', () => {
  const patterns = [
    ...new Set([...JSON.stringify(description).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, p]) => p)),
  ].map((pattern): string => JSON.parse(pattern ?? ''))
  const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code))
  // Python's `$` also matches before a final line break, so each text ends with a letter or digit.
  const texts = ascii.flatMap(character => [`a${character}0`, `/${character}p`, `Trainer krank,${character}Ersatz`])
  texts.push(
    'a\u0085b',
    'a\u009fb',
    'a\u2028b',
    'a\u202eb',
    'Raum für \u{1f600} gesperrt',
    '2026-11-28',
    '07:15',
    '3',
    '2026-000123',
  )
  const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON], {
    input: JSON.stringify([patterns, texts]),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(patterns.map(pattern => texts.map(text => new RegExp(pattern, 'u').test(text))))
})
