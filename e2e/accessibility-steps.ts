import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** All WCAG 2.2 AA rules. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const ALL: axe.RunOnly = { type: 'tag', values: WCAG }
/** And axe's best-practice rules. */
export const WITH_PRACTICE: axe.RunOnly = { type: 'tag', values: [...WCAG, 'best-practice'] }
/** Rules that depend on the colour scheme. */
const OF_COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

const axeFile = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

/**
 * Violations that axe finds in the page or a part of it in its current state, one line each. Frames are not included.
 */
export async function violationsOf(page: Page, rules = ALL, part = 'html'): Promise<string[]> {
  // axe is injected once per page, because loading it takes as long as a run.
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

/** Runs the rules in the light scheme, and the colour rules in the dark scheme too, in the same page state. */
export async function violationsInBothSchemes(page: Page, part = 'html'): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    // Waits for the colour transitions between schemes.
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

/** Horizontal overflow of the page in px. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

/**
 * Focusable elements in this part of the page that are not visible when focused: outside the viewport or covered by a
 * sticky element.
 */
export const hiddenFocusOf = (page: Page, part = 'body'): Promise<string[]> =>
  page.locator(part).evaluate(root => {
    const reach = 'a[href], button:not(:disabled), input:not(:disabled), select, summary, [tabindex="0"]'
    const hidden: string[] = []
    for (const element of root.querySelectorAll<HTMLElement>(reach)) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      element.focus()
      if (document.activeElement !== element) continue
      // A control drawn by its label is visible where its label is.
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
