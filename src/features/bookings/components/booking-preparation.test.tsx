import { afterEach, expect, test } from 'vitest'
import type { Course } from '#contract/endpoints/courses.ts'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { BookingPreparation } from './booking-preparation.tsx'

afterEach(() => useSession.setState({ session: null }))

test.each<[Pick<Course, 'obstacle' | 'obstacleText'>, boolean, string]>([
  [{ obstacle: 'notOpen', obstacleText: '' }, false, 'Profil vollständig'],
  [{ obstacle: 'notOpen', obstacleText: '' }, true, 'Im Profil fehlt Ihre Gesellschaft'],
  [
    { obstacle: 'profileIncomplete', obstacleText: 'Bitte ergänzen Sie Ihre Gruppe.' },
    false,
    'ergänzen Sie Ihre Gruppe',
  ],
  [{ obstacle: 'yearOfBirthMissing', obstacleText: 'Es fehlt Ihr Geburtsjahr.' }, true, 'Es fehlt Ihr Geburtsjahr'],
])('the checklist names what the profile lacks: %j, division missing: %s', async (obstacle, isDivisionToSet, text) => {
  useSession.setState({ session: { ...ANONYMOUS_SESSION, webUserId: 7, isDivisionToSet } })
  const container = await render(<BookingPreparation course={testCourse(obstacle)} />, 'bookings', 'courses')
  const lines = [...container.querySelectorAll('li')].map(({ textContent }) => textContent)
  expect(lines.find(line => line.includes(text))).toMatch(text === 'Profil vollständig' ? /^erledigt/ : /^offen/)
  if (text !== 'Profil vollständig') expect(lines.join()).not.toContain('Profil vollständig')
})
