import { expect, test } from 'vitest'
import { render } from '#test/render.tsx'
import { useQueryString } from './use-query-string.ts'

const Next = () => <output>{new URLSearchParams(useQueryString()).get('next')}</output>

test.each(['/courses?q=Kraft+%26+Kondition&category=1', '/office/people?q=C%2B%2B', '/content/100%25.pdf'])(
  'the address %s in a query stays as it is',
  async wanted => {
    window.history.replaceState(null, '', `/login?next=${encodeURIComponent(wanted)}`)
    expect((await render(<Next />)).querySelector('output')?.textContent).toBe(wanted)
  },
)
