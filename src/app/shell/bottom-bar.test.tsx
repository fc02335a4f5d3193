import { expect, test } from 'vitest'
import { useSession } from '#features/session/store.ts'
import { render } from '#test/render.tsx'
import { BottomBar } from './bottom-bar.tsx'

test('visitors who tap a page of their own get there after the login', async () => {
  useSession.setState({ phase: 'none', session: null })
  const container = await render(<BottomBar />)
  const routes = [...container.querySelectorAll('a')].map(link => link.getAttribute('href'))
  expect(routes).toEqual(['/home', '/courses', '/login?next=/courses/booked', '/login?next=/messages'])
})
