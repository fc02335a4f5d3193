import { hiddenFocusOf, overflowOf } from './accessibility-steps.ts'
import { expect, test } from './fixtures.ts'
import { listScreens } from './screen-steps.ts'

/** 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 }
const PHONE = { width: 390, height: 844 }
test.use({ viewport: ZOOMED, deviceScaleFactor: 4, isMobile: false, hasTouch: false })

for (const account of [undefined, 'employee', 'instructor'] as const) {
  test(`nothing runs sideways at 400 %, and no focus hides below a bar, on any route (${account ?? 'visitor'})`, async ({
    page,
    portal,
    loginAs,
  }) => {
    test.slow()
    if (account) await loginAs(account)
    const problems: Record<string, unknown> = {}
    for (const screen of (await listScreens(portal)).filter(listed => listed.account === account)) {
      await page.goto(screen.path, { waitUntil: 'networkidle' })
      await screen.prepare?.(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const found = { overflow: await overflowOf(page), zoomed: await hiddenFocusOf(page), phone: [] as string[] }
      await page.setViewportSize(PHONE)
      found.phone = await hiddenFocusOf(page)
      await page.setViewportSize(ZOOMED)
      if (Object.values(found).flat().some(Boolean)) problems[screen.name] = found
    }
    expect(problems).toEqual({})
  })
}
