import { chromium, type Page } from '@playwright/test'
import { type Engine, scriptText, type Tab, VIEWPORT } from './driver.ts'
import { processWith } from './process-steps.ts'

const tabOf = (page: Page): Tab => ({
  goto: async url => void (await page.goto(url)),
  evaluate: async (script, ...args) => JSON.parse(await page.evaluate(`(${scriptText(script, args)})()`)),
  press: (x, y) => page.mouse.click(x, y),
  type: text => page.keyboard.type(text),
})

/** Chromium as installed by users: Playwright's default flags disable the back/forward cache. */
export const chromiumEngine = (path: string): Engine => ({
  name: 'chromium',
  keepsProfile: true,
  open: async profile => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: path,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
      viewport: VIEWPORT,
    })
    return {
      pid: await processWith(`--user-data-dir=${profile}`),
      tab: tabOf(context.pages()[0] ?? (await context.newPage())),
      openTab: async () => tabOf(await context.newPage()),
      close: () => context.close(),
    }
  },
})
