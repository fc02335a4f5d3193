import { expect, test } from 'vitest'
import {
  loginFormErrors,
  newPasswordErrors,
  registeredEmailOf,
  routeAfterLogin,
  routeAfterPasswordChange,
} from './model.ts'

test.each([
  ['', 'x', { userName: 'required', password: 'length' }],
  ['k', 'abcd', { userName: 'length' }],
  ['  kim@demo.example  ', 'abcd', {}],
  ['kk', 'abc', { password: 'length' }],
  ['k'.repeat(51), 'x'.repeat(51), { userName: 'length', password: 'length' }],
  ['k'.repeat(50), 'x'.repeat(50), {}],
])('a login with e-mail %j and password %j reports the errors %j', (userName, password, errors) => {
  expect(loginFormErrors({ userName, password })).toEqual(errors)
})

test.each([
  ['', '', { password: 'required', confirmPassword: 'required' }],
  ['abcde', 'abcde', { password: 'length', confirmPassword: 'length' }],
  ['abcdef', 'abcdeF', { confirmPassword: 'mismatch' }],
  ['abcdef', 'abcdef', {}],
  ['x'.repeat(50), 'x'.repeat(50), {}],
  ['x'.repeat(51), 'x'.repeat(51), { password: 'length', confirmPassword: 'length' }],
])('the new password %j, repeated as %j, reports the errors %j', (password, confirmPassword, errors) => {
  expect(newPasswordErrors({ password, confirmPassword })).toEqual(errors)
})

const done = { isPasswordToChange: false, isProfileToComplete: false }
test.each([
  [done, null, '/'],
  [done, '/course-details/7', '/course-details/7'],
  [done, 'https://evil.example', '/'],
  [done, '//evil.example', '/'],
  [done, '/\\evil.example', '/'],
  [{ ...done, isPasswordToChange: true }, '/course-details/7', '/password-change?next=%2Fcourse-details%2F7'],
  [{ ...done, isProfileToComplete: true }, null, '/edit'],
  [{ ...done, isProfileToComplete: true }, '/course-details/7', '/course-details/7'],
])('a session with %j and target %j leads to %s', (session, wanted, route) => {
  expect(routeAfterLogin(session, wanted)).toBe(route)
})

test('only a registration stores its e-mail in the history state', () => {
  expect(registeredEmailOf({ registered: 'kim@demo.example' })).toBe('kim@demo.example')
  for (const state of [null, undefined, 'x', {}, { registered: 7 }]) expect(registeredEmailOf(state)).toBe(null)
})

test.each([
  ['?next=%2Foffice%2Fpasskey%2Fabc', '/office/passkey/abc'],
  ['?next=%2F%2Fevil.example', '/'],
  ['', '/'],
])('after a password change, %j leads to %s', (search, route) => {
  expect(routeAfterPasswordChange(search)).toBe(route)
})
