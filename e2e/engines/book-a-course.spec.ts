import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { login } from '#contract/endpoints/session.ts'
import { DEMO_PASSWORD, emailOf, expect } from '../fixtures.ts'
import { coursesOf } from '../programme-steps.ts'
import { test } from './engine-fixture.ts'
import { goBack, press, see, start, until } from './tab-steps.ts'

test('a user logs in, books a course, finds it under my courses and cancels it @not-chromium @extended', async ({
  portal,
  gate,
  launch,
}) => {
  const body = { userName: emailOf('employee'), password: DEMO_PASSWORD, keepSession: false }
  const { id: token } = await portal.call(login, { body })
  const isBooked = async () => (await portal.call(listBookedCourses, { token })).some(({ id }) => id === course?.id)
  const course = (await coursesOf(portal, token)).find(c => c.directlyBookable && c.fee === 0 && !c.running)
  const { tab } = await launch()
  await start(tab, gate.url, null)
  await tab.goto(`${gate.url}/course-details/${course?.id}`)
  await press(tab, 'main a', /^Anmelden$/)
  await press(tab, 'main input[name=username]', /^/)
  await tab.type(emailOf('employee'))
  await press(tab, 'main input[type=password]', /^/)
  await tab.type(DEMO_PASSWORD)
  await press(tab, 'main button', /^Anmelden$/)

  await press(tab, 'main button', /^Jetzt buchen$/)
  await until(tab, 'the answer', () =>
    /Sie haben einen Platz/.test(document.querySelector('[role=dialog]')?.textContent ?? ''),
  )
  expect(await isBooked()).toBe(true)
  await tab.goto(`${gate.url}/courses/booked`)
  await see(tab, /Gebucht\s+stornierbar/)
  // The screen still works after navigating away and back by the browser's button.
  await tab.goto(`${gate.url}/faq`)
  await goBack(tab)
  await see(tab, /Gebucht\s+stornierbar/)
  await press(tab, 'main button', /^Stornieren$/)
  await until(tab, 'the answer', () => /Storniert/.test(document.querySelector('[role=dialog]')?.textContent ?? ''))
  expect(await isBooked()).toBe(false)
})
