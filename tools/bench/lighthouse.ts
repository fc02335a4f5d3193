import { findChromium } from '../../e2e/browsers.ts'
import { Portal } from '../../e2e/portal.ts'
import { percentile } from './programmes.ts'
import { report } from './report.ts'

/**
 * Runs Lighthouse with slow-phone settings and takes the median of five runs per page. This folder has its own
 * package: run `npm ci` in tools/bench/ first.
 */
const ROUTES = ['/home', '/courses', '/course-details/1']
const RUNS = 5
const LIMITS = { performance: 0.98, accessibility: 1, 'best-practices': 1, seo: 1 }

type Result = {
  lhr: { categories: Record<string, { score: number }>; audits: Record<string, { numericValue: number }> }
}

// Lighthouse cannot be resolved from the project's own packages.
const packages = ['lighthouse', 'chrome-launcher']
const [lighthouse, launcher] = await Promise.all(packages.map(name => import(name))).catch(() => {
  console.error('Lighthouse is not here: run npm ci in tools/bench/')
  process.exit(1)
})
const portal = await Portal.open()
const chrome = await launcher.launch({
  chromePath: await findChromium(),
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-quic', '--no-first-run'],
})
for (const route of ROUTES) {
  const results: Result[] = []
  for (let run = 0; run < RUNS; run++) {
    const options = {
      port: chrome.port,
      onlyCategories: Object.keys(LIMITS),
      skipAudits: ['link-text'],
      logLevel: 'silent',
    }
    results.push(await lighthouse.default(portal.url + route, options))
  }
  const median = (of: (result: Result) => number | undefined) =>
    percentile(
      results.map(one => of(one) ?? 0),
      0.5,
    )
  for (const [category, least] of Object.entries(LIMITS)) {
    const figure = median(({ lhr }) => lhr.categories[category]?.score)
    report({
      what: `Lighthouse ${route}, ${category}`,
      figure: figure * 100,
      unit: 'of 100',
      limit: { atLeast: least * 100 },
    })
  }
  const shift = median(({ lhr }) => lhr.audits['cumulative-layout-shift']?.numericValue)
  report({ what: `Lighthouse ${route}, layout shift`, figure: shift, unit: '', limit: { atMost: 0.01 } })
}
await chrome.kill()
await portal.close()
