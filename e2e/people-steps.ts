import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { confirmAccount, register } from '#contract/endpoints/accounts.ts'
import { login } from '#contract/endpoints/session.ts'
import { type ProfileFieldRequirement, profileFields } from '#contract/rules/profile-rules.ts'
import type { ProfileField, ProfileInput } from '#contract/tables/person.ts'
import { completeInput } from '#contract/test/profiles.ts'
import type { BillingType, EmployeeStatus } from '#contract/values.ts'
import type { Mail } from './mails.ts'
import type { Portal } from './portal.ts'

export const PASSWORD = 'Kaffee-Tasse-77'

/** A unique new e-mail address. */
export const newEmail = (): string => `kim.${randomUUID().slice(0, 8)}@e2e.example`

/** Path of an e-mail's link within the portal. */
export function linkIn({ text }: Mail): string {
  const path = /\/(?:activate|undo)\/[\w-]+/.exec(text)?.[0]
  if (!path) throw new Error(`no link in\n${text}`)
  return path
}

export type Person = { email: string; password: string }

/**
 * Registers a person without activation by API.
 * @returns the e-mail address; the password is PASSWORD
 */
export async function registerPerson(portal: Portal, status: EmployeeStatus, billing: BillingType): Promise<string> {
  const email = newEmail()
  const body = { ...completeInput(status, billing), email, yearOfBirth: 1989 }
  // biome-ignore lint/suspicious/noExplicitAny: the input is complete, which its type does not say
  expect(await portal.call(register, { body: body as any })).toMatchObject({ status: 'Ok' })
  return email
}

/** Registers and activates a person by API. */
export async function createPerson(
  portal: Portal,
  status: EmployeeStatus = 1,
  billing: BillingType = 1,
): Promise<Person> {
  const person = { email: await registerPerson(portal, status, billing), password: PASSWORD }
  const [mail] = await portal.mailsTo(person.email)
  if (!mail) throw new Error('no mail')
  expect(await portal.call(confirmAccount, { body: { token: linkIn(mail).slice('/activate/'.length) } })).toMatchObject(
    {
      status: 'Ok',
    },
  )
  return person
}

/** Session token, obtained by API. */
export async function tokenOf(portal: Portal, { email, password }: Person): Promise<string> {
  const session = await portal.call(login, { body: { userName: email, password, keepSession: false } })
  expect(session.status).toBe('Ok')
  return session.id
}

/** Opens the portal with a session of this person. */
export async function openAs(page: Page, portal: Portal, person: Person, route: string): Promise<string> {
  const token = await tokenOf(portal, person)
  await page.addInitScript(stored => {
    if (!sessionStorage.getItem('was-here')) sessionStorage.setItem('SessionToken', stored)
    sessionStorage.setItem('was-here', 'yes')
  }, token)
  await page.goto(route)
  return token
}

export const submit = (page: Page) => page.locator('form [type="submit"]')
/** Visible elements only: the previous screen stays hidden in the page until the next one is rendered. */
export const field = (page: Page, name: string) => page.locator(`main [name="${name}"]:visible`)
export const errorOf = (page: Page, name: string) => field(page, name).locator('xpath=../..').locator('[id$="-error"]')

export async function logIn(page: Page, { email, password }: Person): Promise<void> {
  await field(page, 'username').fill(email)
  await field(page, 'password').fill(password)
  await submit(page).click()
}

/** Completes the first registration step. */
export async function takeFirstStep(page: Page, email = newEmail()): Promise<void> {
  await field(page, 'email').fill(email)
  await field(page, 'password').fill(PASSWORD)
  await field(page, 'confirmPassword').fill(PASSWORD)
  await submit(page).click()
  await expect(field(page, 'familyName')).toBeVisible()
}

/** Completes the first two registration steps. */
export async function takeFirstTwoSteps(page: Page, email?: string): Promise<void> {
  await takeFirstStep(page, email)
  await fillProfile(page, { formOfAddress: 'Divers', title: 'Dr.', givenName: 'Kim', familyName: 'Muster' })
  await submit(page).click()
  await expect(field(page, 'employeeStatus')).toBeVisible()
}

/** Password in the latest mail. */
export async function findMailedPassword(portal: Portal, { email }: Person): Promise<string> {
  const mail = (await portal.mailsTo(email, 2)).at(-1)
  return /Passwort: (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

const CHOICES: ProfileField[] = ['formOfAddress', 'employeeStatus', 'billingType', 'divisionId']

/** Fills in the profile fields that the form shows for this status group. */
export async function fillProfile(
  page: Page,
  input: ProfileInput,
  use: ProfileFieldRequirement[] = ['required', 'optional'],
) {
  const uses = profileFields(input.employeeStatus ?? null, input.billingType ?? null)
  // The status must be set first: it determines the other fields.
  const names = (['employeeStatus', 'billingType', ...Object.keys(uses)] as ProfileField[]).filter(name =>
    use.includes(uses[name]),
  )
  await submit(page).waitFor()
  for (const name of new Set(names)) {
    const shown = field(page, name)
    if ((await shown.count()) === 0) continue
    const value = String(input[name] ?? '')
    if (CHOICES.includes(name)) await shown.selectOption(value)
    else await shown.fill(value)
  }
}
