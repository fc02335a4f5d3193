import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test('the screenshots and the tests of screens include every route of the app', () => {
  const routes = [...read('src/app/routes.tsx').matchAll(/\b(?:route|own|slim|namedRoute)\(\s*'(\/[^']+)'/g)].map(
    ([, path = '']) => path,
  )
  expect(routes.length).toBeGreaterThan(25)
  const steps = read('e2e/screen-steps.ts')
  const isListed = (path: string) => {
    // An optional rest in brackets is handled by the screens of the route.
    const [, first = '', second] = path.replace(/\(.*$/, '').split('/')
    const start = second?.startsWith(':') ? `${first}/` : [first, second].filter(Boolean).join('/')
    return steps.includes(`/${start}`) || steps.includes(`'${first}'`)
  }
  expect(routes.filter(path => !isListed(path))).toEqual([])
})
