import { afterAll, expect, test } from 'vitest'
import { openSeason } from './season.ts'
import { findFaketime } from './test-clock.ts'
const library = await findFaketime()
test.skipIf(!library)('x', async () => {
  const t = performance.now()
  const portal = await openSeason(library ?? '', '2026-08-31 09:00')
  afterAll(() => portal.close())
  console.log(performance.now() - t)
  await portal.advanceTo('2026-09-14 07:59')
  console.log(await portal.listed(), await portal.states('H-01', ['anna','hanna','jan','mia']))
  await portal.advanceTo('2026-09-14 08:00')
  console.log(await portal.states('H-01', ['anna','hanna','jan','mia']), portal.mails.map(m=>m.to))
})
