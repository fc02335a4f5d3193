import { checkSession } from '#contract/endpoints/session.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { field, findMailedPassword, logIn, openAs, tokenOf } from './people-steps.ts'

test.use(WITHOUT_WORKER)

test('a user sees all logged-in devices, and can log out one of them or all others @extended', async ({
  page,
  portal,
  person,
}) => {
  const [first, second, third] = [
    await tokenOf(portal, person),
    await tokenOf(portal, person),
    await tokenOf(portal, person),
  ]
  const isAlive = async (token: string) =>
    (await portal.call(checkSession, { query: { sessionToken: token } })).status === 'Ok'
  const addresses: string[] = []
  page.on('request', request => addresses.push(request.url()))
  const own = await openAs(page, portal, person, '/sessions')
  await expect(page.getByRole('listitem').filter({ hasText: '(dieses Gerät)' })).toHaveCount(1)
  const end = page.getByRole('main').getByRole('button', { name: /abmelden, angemeldet seit/ })
  await expect(end).toHaveCount(3)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('sessions.png'), fullPage: true })

  await end.first().focus()
  await page.keyboard.press('Enter')
  await expect(end).toHaveCount(2)
  await expect(page.getByText('Unbekanntes Gerät ist abgemeldet.')).toBeVisible()
  expect([await isAlive(first), await isAlive(second), await isAlive(third)]).toEqual([true, true, false])

  await page.getByRole('button', { name: 'Überall sonst abmelden' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Überall sonst abmelden' }).click()
  await expect(page.getByText('Sonst sind Sie nirgends angemeldet.')).toBeVisible()
  expect([await isAlive(first), await isAlive(second), await isAlive(own)]).toEqual([false, false, true])
  expect(addresses.join(' ')).not.toContain(own)
})

test('after a login with a temporary password, every page redirects to the password change', async ({
  page,
  portal,
  person,
}) => {
  await page.goto('/login')
  await field(page, 'username').fill(person.email)
  await page.getByRole('button', { name: 'Passwort vergessen' }).click()
  await expect(page.getByRole('dialog')).toContainText('Neues Passwort ist unterwegs')
  await page.keyboard.press('Escape')
  await logIn(page, { ...person, password: await findMailedPassword(portal, person) })
  await expect(page).toHaveURL(/password-change$/)
  for (const path of ['/edit', '/messages', '/courses/booked', '/sessions']) {
    await page.goto(path)
    await expect(page).toHaveURL(/password-change$/)
  }
  await expect(page.getByText('nicht zugelassen')).toHaveCount(0)
})
