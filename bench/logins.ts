import { login } from '../contract/session.ts'
import { getConfig } from '../contract/system.ts'
import { emailOfPerson, hasRealProgrammes, openRealPortal, PASSWORD, percentile } from './programmes.ts'

/** 500 concurrent logins: their duration, and the latency of other calls. */
const LOGINS = 500

if (!hasRealProgrammes) console.log('skipped: ../shared is missing')
else {
  const portal = await openRealPortal('bern', LOGINS)
  const timeOfCall = async () => {
    const startedAt = performance.now()
    await portal.call(getConfig)
    return performance.now() - startedAt
  }
  const quiet: number[] = []
  for (let call = 0; call < 100; call += 1) quiet.push(await timeOfCall())

  const startedAt = performance.now()
  let areRunning = true
  const logins = Promise.all(
    Array.from({ length: LOGINS }, (_, index) =>
      portal.call(login, { body: { userName: emailOfPerson(index), password: PASSWORD, keepSession: false } }),
    ),
  ).finally(() => {
    areRunning = false
  })
  const busy: number[] = []
  while (areRunning) busy.push(await timeOfCall())
  const sessions = await logins
  const seconds = (performance.now() - startedAt) / 1000

  const failed = sessions.filter(({ status }) => status !== 'Ok').length
  const [quietP95, busyP95] = [percentile(quiet, 0.95), percentile(busy, 0.95)]
  console.log(`${LOGINS} logins in ${seconds.toFixed(1)} s (${(LOGINS / seconds).toFixed(0)} per s), ${failed} failed`)
  console.log(
    `other calls, p95: ${busyP95.toFixed(1)} ms meanwhile, ${quietP95.toFixed(1)} ms before: ${(busyP95 / quietP95).toFixed(1)} times`,
  )
  await portal.close()
}
