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

/** Stricter than WCAG: large text needs the contrast of small text, too. */
export const LARGE_TEXT_TOO = { 'color-contrast': { options: { contrastRatio: { large: { expected: 4.5 } } } } }

const axeFile = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

/**
 * Violations that axe finds in the page or a part of it in its current state, one line each. Frames are not included.
 */
export async function violationsOf(page: Page, rules = ALL, part = 'html', checks = {}): Promise<string[]> {
  // axe is injected once per page, because loading it takes as long as a run.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(await readFile(axeFile, 'utf8'))
  return page.evaluate(
    async ([runOnly, within, ofChecks]) => {
      if (!window.axe) throw new Error('axe is not here')
      // The types of axe lack the options of single checks.
      const options: axe.RunOptions & { checks: object } = { runOnly, resultTypes: ['violations'], checks: ofChecks }
      const { violations } = await window.axe.run(within, options)
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      )
    },
    [rules, part, checks] as const,
  )
}

/** Makes sticky bars static, because they cover content scrolled beneath them, or restores them. */
const setBars = (page: Page, isApart: boolean) =>
  page.locator('body *').evaluateAll((all: HTMLElement[], isApart) => {
    for (const bar of all) {
      if (!isApart && bar.dataset.apart) {
        bar.style.position = ''
        delete bar.dataset.apart
      }
      if (!isApart || bar.closest('[role=dialog]') || bar.querySelector('[role=dialog]')) continue
      if (!/fixed|sticky/.test(getComputedStyle(bar).position) || bar.offsetHeight > innerHeight / 2) continue
      bar.style.position = 'static'
      bar.dataset.apart = 'true'
    }
  }, isApart)

/** Runs the rules in the light scheme, and the colour rules in the dark scheme too, in the same page state. */
export async function violationsInBothSchemes(page: Page, part = 'html', checks = {}): Promise<string[]> {
  const found: string[] = []
  await setBars(page, true)
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
    const violations = await violationsOf(page, colorScheme === 'light' ? ALL : OF_COLOURS, part, checks)
    found.push(...violations.map(violation => `${colorScheme}: ${violation}`))
  }
  await setBars(page, false)
  return found
}

/** Horizontal overflow of the page in px. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

/**
 * Links and controls, apart from those within a sentence, whose touch area is less than 44 px high or, if the page
 * is wide enough for that, wide.
 */
export const smallTargetsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Of seven days in a row, a narrow page has less. */
    const widest = innerWidth < 390 ? 36 : 44
    return [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')].flatMap(target => {
      // Away from the bars, which would cover a part of it.
      target.scrollIntoView({ block: 'center', behavior: 'instant' })
      const box = target.getBoundingClientRect()
      const isWithinText =
        getComputedStyle(target).display === 'inline' && target.parentElement?.textContent !== target.textContent
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      const isHit = (left: number, top: number) => {
        const hit = document.elementFromPoint(left, top)
        return target.contains(hit) || hit?.closest('label')?.control === target
      }
      if (isWithinText || !isHit(x, y)) return []
      const reach = (dx: number, dy: number) => {
        let length = 0
        while (length < 44 && isHit(x + dx * (length + 1), y + dy * (length + 1))) length++
        return length
      }
      // Half a pixel is lost on either side.
      const [width, height] = [reach(-1, 0) + reach(1, 0) + 2, reach(0, -1) + reach(0, 1) + 2]
      const name = (target.ariaLabel ?? target.textContent ?? '').trim().slice(0, 40)
      return width < widest || height < 44 ? [`${target.tagName} "${name}" ${width} × ${height}`] : []
    })
  })

/** Captions of the data tables that scroll horizontally. */
export const wideTablesOf = (page: Page): Promise<string[]> =>
  page
    .locator('main section[tabindex="0"]:has(> .ui-tabular)')
    .evaluateAll(frames =>
      frames.flatMap(frame => (frame.scrollWidth > frame.clientWidth ? [frame.ariaLabel ?? ''] : [])),
    )

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
      // A control that is drawn by its label counts as visible where the label is visible.
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

/**
 * Texts that are cut off by the window or by their container, one line each. Exceptions: scrollable content (carousel,
 * horizontally scrolling rows), and the last breadcrumb entry, which repeats the heading.
 */
export const cutWordsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut: string[] = []
    const { clientWidth } = document.documentElement
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const holder = node.parentElement
      if (!node.textContent?.trim() || !holder?.checkVisibility({ visibilityProperty: true })) continue
      if (
        holder.closest('.visually-hidden, [href="#main"], ol [aria-current="page"], svg, [aria-hidden="true"], select')
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const words = range.getBoundingClientRect()
      let box = holder as HTMLElement | null
      let isMovable = false
      while (box && box !== document.body) {
        const { overflowX, overflowY } = getComputedStyle(box)
        const frame = box.getBoundingClientRect()
        if (['auto', 'scroll'].includes(overflowX)) isMovable = true
        const isBeside = overflowX !== 'visible' && (words.right > frame.right + 1 || words.left < frame.left - 1)
        const isBelow = overflowY !== 'visible' && (words.bottom > frame.bottom + 1 || words.top < frame.top - 1)
        if (!isMovable && !['auto', 'scroll'].includes(overflowY) && frame.width > 1 && (isBeside || isBelow))
          cut.push(`${node.textContent.trim().slice(0, 40)} in ${box.tagName}.${box.className}`)
        box = box.parentElement
      }
      if (!isMovable && (words.right > clientWidth + 1 || words.left < -1))
        cut.push(`${node.textContent.trim().slice(0, 40)} beside the window`)
    }
    return [...new Set(cut)]
  })

/**
 * Texts and buttons that overlap within a card or row, and texts truncated by an ellipsis, one line each.
 * @param cards selector of cards, rows or blocks
 */
export const overlapsOf = (page: Page, cards: string): Promise<string[]> =>
  page.locator(cards).evaluateAll(all => {
    const found: string[] = []
    // Tolerance: the line boxes of adjacent lines touch.
    const touching = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 4
    for (const card of all) {
      const boxes: { text: string; box: DOMRect; holder: Element }[] = []
      const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement
        const text = node.textContent?.trim()
        if (!text || !holder?.checkVisibility() || holder.closest('.visually-hidden')) continue
        const { textOverflow, overflowX } = getComputedStyle(holder)
        if (textOverflow === 'ellipsis' && overflowX !== 'visible') found.push(`ellipsis: ${text}`)
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const box of range.getClientRects()) boxes.push({ text, box, holder })
      }
      for (const icon of card.querySelectorAll('button > svg'))
        if (icon.checkVisibility()) boxes.push({ text: 'button', box: icon.getBoundingClientRect(), holder: icon })
      for (const [at, { text, box, holder }] of boxes.entries()) {
        for (const other of boxes.slice(at + 1)) {
          if (other.holder === holder) continue
          const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
          const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)
          if (width > 1 && height > touching)
            found.push(`${text} over ${other.text} in ${card.textContent?.slice(0, 40)}`)
        }
      }
    }
    return [...new Set(found)]
  })
