import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** All of WCAG 2.2 AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const ALL: axe.RunOnly = { type: 'tag', values: WCAG }
/** And what axe holds for good practice. */
export const WITH_PRACTICE: axe.RunOnly = { type: 'tag', values: [...WCAG, 'best-practice'] }
/** The rules that see another page in another colour scheme. */
const OF_COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

const axeFile = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

/** What axe finds on the page, or in a part of it, as it is now, one line each. There are no frames to look into. */
export async function violationsOf(page: Page, rules = ALL, part = 'html'): Promise<string[]> {
  // To read it takes a page as long as to look at itself: once, however often it is looked at.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(await readFile(axeFile, 'utf8'))
  return page.evaluate(
    async ([runOnly, within]) => {
      if (!window.axe) throw new Error('axe is not here')
      const { violations } = await window.axe.run(within, { runOnly, resultTypes: ['violations'] })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      )
    },
    [rules, part] as const,
  )
}

/** The same in the light scheme, and its colours in the dark one, without leaving the state that the page is in. */
export async function violationsInBothSchemes(page: Page, part = 'html'): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    // Colours are on their way from one scheme to the other.
    await page.evaluate(() =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter(animation => animation instanceof CSSTransition)
          .map(({ finished }) => finished),
      ),
    )
    const violations = await violationsOf(page, colorScheme === 'light' ? ALL : OF_COLOURS, part)
    found.push(...violations.map(violation => `${colorScheme}: ${violation}`))
  }
  return found
}

/** How many px the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

/**
 * Everything in this part of the page that can have the focus and shows nothing of itself when it has it: outside the window,
 * or below something that sticks to its edge.
 */
export const hiddenFocusOf = (page: Page, part = 'body'): Promise<string[]> =>
  page.locator(part).evaluate(root => {
    const reach = 'a[href], button:not(:disabled), input:not(:disabled), select, summary, [tabindex="0"]'
    const hidden: string[] = []
    for (const element of root.querySelectorAll<HTMLElement>(reach)) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      element.focus()
      if (document.activeElement !== element) continue
      // A control that is drawn by its label shows where the label does.
      const shown = element.closest('label') ?? element
      const { left, top, width, height } = shown.getBoundingClientRect()
      const isSeen = [0.1, 0.3, 0.5, 0.7, 0.9].some(x =>
        [0.1, 0.3, 0.5, 0.7, 0.9].some(y =>
          shown.contains(document.elementFromPoint(left + width * x, top + height * y)),
        ),
      )
      if (!isSeen) hidden.push(element.outerHTML.slice(0, 160))
    }
    return hidden
  })
