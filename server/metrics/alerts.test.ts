import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../docs/operation')
const file = join(folder, 'alerts.yml')
/** The parser that the library for OpenAPI brings along. */
const { load } = createRequire(createRequire(import.meta.url).resolve('openapi-typescript'))('js-yaml')

type Rule = { alert: string; expr: string; annotations: Record<string, string> }
type Rules = { groups: { name: string; rules: Rule[] }[] }
const { groups } = load(readFileSync(file, 'utf8')) as Rules
const rules = groups.flatMap(group => group.rules)

test('every alert has only the fields of Prometheus', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const rule of rules) {
    expect(Object.keys(rule).filter(key => key !== 'for')).toEqual(['alert', 'expr', 'annotations'])
    expect(Object.keys(rule.annotations), rule.alert).toEqual(['summary'])
    expect(rule.annotations.summary).not.toBe('')
    expect(rule.expr).toMatch(/ (?:==|>|<) [\w.]/)
    // Prometheus calls every fall of a gauge a restart of its counter.
    expect(rule.expr).not.toMatch(/\b(?:rate|increase)\((?!\w+_(?:total|count|bucket)\b)/)
    // Its own label: of ours it would be exported_job.
    expect(rule.expr.replace('up{job="portal"}', '')).not.toContain('job=')
  }
})

test('promtool accepts the file', context => {
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  context.skip(error !== undefined, 'promtool is not installed')
  expect(`${stdout}${stderr}`).toContain(`${rules.length} rules found`)
  expect(status).toBe(0)
})
