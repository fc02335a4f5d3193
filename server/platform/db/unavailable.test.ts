import { expect, test } from 'vitest'
import { StartError } from '#server/platform/process/start-error.ts'
import { explainUnavailable } from './unavailable.ts'

const errorWith = (message: string, facts: object) => Object.assign(new Error(message), facts)

test.each([
  ['read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }, 'Lost the connection to the database: read ECONNRESET'],
  ['terminating connection', { code: '57P01' }, 'Lost the connection to the database: terminating connection'],
  ['could not extend file', { code: '53100' }, 'The disk of the database is full: could not extend file'],
  ['lock timeout', { code: '55P03' }, 'The database cannot do this now: lock timeout'],
])('%s is one line that says what is away', (message, facts, line) => {
  const explained = explainUnavailable(errorWith(message, facts))
  expect(explained).toBeInstanceOf(StartError)
  expect(explained).toHaveProperty('message', line)
})

test.each([
  ['no such file', { code: 'ENOENT', syscall: 'open', path: '/a' }],
  ['address not available', { code: 'EADDRNOTAVAIL', syscall: 'listen' }],
  ['syntax error', { code: '42601' }],
])('%s is no error of the connection', (message, facts) => {
  const error = errorWith(message, facts)
  expect(explainUnavailable(error)).toBe(error)
})
