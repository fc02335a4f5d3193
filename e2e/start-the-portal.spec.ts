import { resetPassword } from '#contract/endpoints/session.ts'
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

test('no script has the same name in two versions, whose portals may answer side by side', async ({ request }) => {
  const textOf = async (path: string) => (await request.get(path)).text()
  const pages = await Promise.all(['/', '/login', '/index.html', '/unknown'].map(textOf))
  const listed = (await textOf('/sw.js')).matchAll(/"url":"([^"]+)"/g)
  const scripts = [...pages.flatMap(page => [...page.matchAll(/<script[^>]* src="\/([^"]+)"/g)]), ...listed]
    .map(([, path = '']) => path)
    .filter(path => path.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(50)
  expect(scripts.filter(path => !/^assets\/.*-[0-9a-f]{7,8}\.js$/.test(path))).toEqual([])
})

test('the licences of third-party software are available', async ({ request }) => {
  const notices = await (await request.get('/third-party-notices.txt')).text()
  for (const name of ['react', 'valibot', 'workbox-core', '@fontsource/barlow-condensed'])
    expect(notices).toMatch(new RegExp(`^## ${name}(?: |$)`, 'm'))
})

test('a killed portal resumes after a restart, and existing sessions remain valid', async ({
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

test.describe('injected scripts', () => {
  test.use({ mayBeRefused: true })
  test('the page runs only its own scripts', async ({ page }) => {
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

test('without a mail server, e-mails are written to readable files', async ({ portal }) => {
  await portal.call(resetPassword, { body: { userName: emailOf('pensioner') } })
  const findMail = async () =>
    (await portal.mailsTo(emailOf('pensioner'))).find(({ subject }) => subject.includes('Passwort'))
  await expect.poll(findMail).toBeDefined()
  const mail = await findMail()
  expect(mail?.text).toContain(portal.url)
  expect(mail?.html).toContain('</html>')
})
