import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { provideChromium } from '../../e2e/browsers.ts'
import { Portal } from '../../e2e/portal.ts'
import { createTarget, PASSWORD } from './attack/fixture.ts'
import { attackWithFloods, attackWithSockets } from './attack/floods.ts'
import { attackWithHtml } from './attack/html.ts'
import { attackMatrix } from './attack/matrix.ts'
import { attackPrograms } from './attack/programs.ts'
import { type AttackResult, formatAttackResults } from './attack/report.ts'
import { fuzzEndpoints } from './attack/requests.ts'
import { attackDevice, attackLog } from './attack/residual-data.ts'

// `npm run attack -- [--requests 100000] [--seed 1]`: security tests against a temporary portal with its own data;
// prints attempts and failures. Exit status 1 if an attack succeeded.
const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } })
const requests = Number(values.requests ?? 100_000)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
  console.error('attack: --requests and --seed take whole numbers')
  process.exit(2)
}
console.log(`seed ${seed}`)

const portal = await Portal.open({ LOG_LEVEL: 'debug' })
const browser = await chromium.launch({ executablePath: await provideChromium(), args: ['--disable-quic'] })
const outcomes: AttackResult[] = []
try {
  const target = await createTarget(portal)
  outcomes.push(await attackMatrix(target))
  outcomes.push(...(await attackPrograms(target)))
  outcomes.push(...(await attackWithHtml(browser, target)))
  outcomes.push(await attackDevice(browser, target))
  outcomes.push(await attackWithSockets(target))
  outcomes.push(await fuzzEndpoints(target, requests, seed))
  outcomes.push(await attackWithFloods(target))
  outcomes.push(attackLog(target, PASSWORD))
} finally {
  await browser.close()
  await portal.close()
}
console.log(`\n${formatAttackResults(outcomes)}`)
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0
