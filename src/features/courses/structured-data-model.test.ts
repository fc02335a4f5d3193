import { expect, test } from 'vitest'
import { testCourse } from '#test/courses.ts'
import { courseSchema, structuredDataOf } from './structured-data-model.ts'

const about = {
  name: 'Yoga',
  description: 'Ruhe',
  provider: 'Sport',
  language: 'de',
  url: 'https://a.example/c/1',
} as const
const runOf = (changes: object) => {
  const [course] = courseSchema(testCourse(changes), about)['@graph']
  return course && 'hasCourseInstance' in course ? course.hasCourseInstance : null
}

test.each([
  [
    'a hall',
    { venue: 'Halle 2', city: 'Salzstadt' },
    'Onsite',
    { '@type': 'Place', name: 'Halle 2', address: 'Salzstadt' },
  ],
  ['online', { venue: 'Online', city: 'Online' }, 'Online', { '@type': 'VirtualLocation', url: about.url }],
  ['no venue', { venue: '', city: '' }, 'Online', { '@type': 'VirtualLocation', url: about.url }],
])('structured data contains where a course is held: %s', (_case, site, courseMode, location) => {
  expect(runOf(site)).toMatchObject({ courseMode, location })
})

test('structured data contains the highest price including fees, and every weekday', () => {
  const run = runOf({ fee: 0, externalFee: 15, energyFee: 9, weekdays: [1, 4] })
  expect(run).toMatchObject({ offers: { price: 24, category: 'Paid' } })
  expect(run?.courseSchedule.byDay).toEqual(['https://schema.org/Monday', 'https://schema.org/Thursday'])
})

test('structured data says that a cancelled course is cancelled, and cannot end its element', () => {
  const text = structuredDataOf(testCourse({ name: 'Yoga </script><b>', cancelled: true }), 'de', 'https://a.example')
  expect(text).not.toContain('<')
  const [, event] = JSON.parse(text)['@graph']
  expect(event).toMatchObject({
    name: 'Yoga </script><b>',
    eventStatus: 'https://schema.org/EventCancelled',
    offers: { availability: 'https://schema.org/Discontinued' },
  })
})
