import { expect, test, vi } from 'vitest'
import { findRoute } from '#app/routes.tsx'
import { useSession } from '#features/session/store.ts'
import { render } from '#test/render.tsx'
import { Page } from './page.tsx'

test('a link to a part of a page leads to that part after the login', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  window.history.replaceState(null, '', '/office?from=mail#report-mail')
  useSession.setState({ phase: 'none', session: null })
  await render(<Page route={findRoute('/office')} />)
  const { pathname, search } = window.location
  expect(pathname).toBe('/login')
  expect(new URLSearchParams(search).get('next')).toBe('/office?from=mail#report-mail')
})
