import { expect, test } from 'vitest'
import { Route } from 'wouter'
import { useCourseIndex } from '#features/courses/resource.ts'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { CourseByNumber } from './course-by-number.tsx'

const show = (address: string) => {
  useCourseIndex.setState({ phase: 'ready', data: [testCourse({ id: 7, number: 'W-100%' })] })
  window.history.replaceState(null, '', address)
  return render(
    <Route path="/course-details/:id">
      <CourseByNumber Screen={() => <h1>Kurs fehlt</h1>} />
    </Route>,
  )
}

test.each(['%', '5%', '5%25', '%C3%BC%'])('/course-details/%s is an address without a course', async id => {
  expect((await show(`/course-details/${id}`)).querySelector('h1')?.textContent).toBe('Kurs fehlt')
})

test('a course number with a per cent sign leads to its course', async () => {
  await show('/course-details/W-100%25')
  expect(window.location.pathname).toBe('/course-details/7')
})
