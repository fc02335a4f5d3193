import { expect, test } from 'vitest'
import { renderPageHead } from './page-head.ts'

const HTML = '<head><meta name="robots" content="all" /><meta name="description" content="" /><title>a</title></head>'
const robotsOf = (path: string) =>
  /name="robots" content="([^"]*)"/.exec(
    renderPageHead(HTML, { title: 't', description: 'd' }, `https://a.example${path}`),
  )?.[1]

test('only the instructors’ page is noindex', () => {
  expect(robotsOf('/instructor')).toBe('noindex')
  expect(robotsOf('/courses')).toBe('all')
})

test('a link preview shows a picture of the course, and the app’s icon for other pages', () => {
  const imageOf = (picture?: string) =>
    renderPageHead(HTML, { title: 't', description: 'd', ...(picture && { picture }) }, 'https://a.example/x')
  expect(imageOf('/api/public/course-picture/7.png')).toContain(
    'og:image" content="https://a.example/api/public/course-picture/7.png"',
  )
  expect(imageOf()).toContain('og:image" content="https://a.example/icons/icon-512.png"')
})
