import { resetPassword } from '#contract/session.ts'
import { emailOf, expect, test } from './fixtures.ts'

test('the start page opens without an error', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  await page.goto('/')
  await expect(page.getByRole('main')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(errors).toEqual([])
})

test('the licences of what is shipped are there to read', async ({ request }) => {
  const notices = await (await request.get('/third-party-notices.txt')).text()
  for (const name of ['react', 'valibot', 'workbox-core', '@fontsource/barlow-condensed'])
    expect(notices).toMatch(new RegExp(`^## ${name}(?: |$)`, 'm'))
})

test('a portal killed and started again serves on, and the session of before lasts', async ({
  page,
  portal,
  loginAs,
}) => {
  await loginAs('employee')
  const isListed = page.waitForResponse(response => response.url().endsWith('/api/course/booked') && response.ok())
  await page.goto('/courses/booked')
  await isListed
  await portal.restart()
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page).toHaveURL(/courses\/booked$/)
})

test.describe('a stranger’s script', () => {
  test.use({ mayBeRefused: true })
  test('the page may run nothing but its own scripts', async ({ page }) => {
    await page.goto('/')
    const isRun = await page.evaluate(async () => {
      const script = document.createElement('script')
      try {
        script.textContent = 'window.isInjected = true'
      } catch {
        // A browser that supports Trusted Types already rejects the string.
      }
      document.body.append(script)
      return 'isInjected' in window
    })
    expect(isRun).toBe(false)
  })
})

test('without a mail server the mails are files that can be read', async ({ portal }) => {
  await portal.call(resetPassword, { body: { userName: emailOf('pensioner') } })
  const findMail = async () =>
    (await portal.mailsTo(emailOf('pensioner'))).find(({ subject }) => subject.includes('Passwort'))
  await expect.poll(findMail).toBeDefined()
  const mail = await findMail()
  expect(mail?.text).toContain(portal.url)
  expect(mail?.html).toContain('</html>')
})
