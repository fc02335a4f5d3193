import { describe, expect, test } from 'vitest'
import { entriesOf } from '../records.ts'
import { type ActDefinition, actBodySchema } from './act.ts'
import { ACTS, type ActKind } from './acts.ts'

/** Matches the names of fields that identify an account. */
const PERSON = /webUserId$/i
const INSTRUCTOR = /instructorEmail|substituteEmail/
const ADDRESS = /^email$/
/** Actions whose `email` field identifies an instructor profile rather than an account. */
const PROFILE: readonly ActKind[] = ['save-instructor']

describe.each(entriesOf<Record<ActKind, ActDefinition>>(ACTS))('%s', (kind, { fields, effects }) => {
  const names = Object.keys(fields)
  const { people = [], addresses = [], changes = [], grants, scopes } = effects

  test('declares each field that identifies an account', () => {
    const declared = people.map(one => (typeof one === 'string' ? one : one.field))
    expect(names.filter(name => PERSON.test(name) && !declared.includes(name))).toEqual([])
    if (!PROFILE.includes(kind))
      expect(names.filter(name => ADDRESS.test(name) && !addresses.includes(name))).toEqual([])
    if (JSON.stringify(names).match(INSTRUCTOR) || PROFILE.includes(kind)) expect(changes).toContain('names')
    if (names.some(name => /^rights?$/.test(name))) expect(changes).toContain('rights')
    if (names.includes('scopes')) expect(scopes).toBe('scopes')
  })

  test('declares only fields that exist', () => {
    const declared = [...people.flatMap(one => (typeof one === 'string' ? one : [one.field, one.where])), ...addresses]
    for (const name of [...declared, grants, scopes].filter(name => name !== undefined)) expect(names).toContain(name)
    expect(actBodySchema(kind, ACTS[kind]).type).toBe('strict_object')
  })
})
