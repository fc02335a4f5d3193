import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pageOf, test, untilInstalled } from './browser-fixture.ts'
import { expect } from './fixtures.ts'

const own = join(import.meta.dirname, '../branding')
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#5b2a86"/></svg>'

/** Another company's folder, as its operator would put it into DATA_DIR. */
async function brandOf(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'branding')
  await cp(own, folder, { recursive: true })
  const brand = JSON.parse(await readFile(join(own, 'branding.json'), 'utf8'))
  Object.assign(brand, { portalName: 'Sportraum', name: 'Heidekamp Textil SE', groupName: 'Heidekamp' })
  brand.colors.brand = { light: '#5b2a86', dark: '#5b2a86' }
  await writeFile(join(folder, 'branding.json'), JSON.stringify(brand))
  await writeFile(join(folder, 'icons/icon.svg'), LOGO)
}

test.afterEach(async ({ portal }) => {
  await portal.stop()
  await rm(join(portal.dataDir, 'branding'), { recursive: true })
  await portal.start()
})

test('a branding folder and a restart, without a build, change name, logo and colors, also offline @extended', async ({
  portal,
  gate,
  openBrowser,
}) => {
  test.slow()
  await portal.stop()
  await brandOf(portal.dataDir)
  await portal.start()

  const page = await pageOf(await openBrowser())
  await page.goto('/home')
  const brand = page.getByRole('link', { name: /^Sportraum: / })
  const seen = async () => {
    await expect(page).toHaveTitle('Start · Sportraum')
    await expect(brand).toContainText('Sportraum')
    await expect(page.getByRole('contentinfo')).toContainText('Heidekamp Textil SE')
    const hall = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--hall'))
    expect(hall).toBe('#5b2a86')
    expect(await page.evaluate(async () => (await fetch('/icons/icon.svg')).text())).toBe(LOGO)
    await expect(page.locator('body')).not.toContainText('Werksport')
  }
  await seen()
  await untilInstalled(page.context())
  gate.isOpen = false
  await page.goto('/home')
  await seen()
  await page.goto('/inprint')
  await expect(page.getByRole('main')).toContainText('Heidekamp Textil SE')
})
