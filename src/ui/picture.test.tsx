import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { render } from '#test/render.tsx'
import { Picture } from './picture.tsx'

const fail = (picture: Element | null) => act(async () => picture?.dispatchEvent(new Event('error')))

function Changing() {
  const [name, setName] = useState('a')
  const src = `/content/${name}.webp`
  return (
    <button type="button" onClick={() => setName('b')}>
      <Picture src={src} srcSet={`${src}?w=320 320w`} width={600} height={400} />
    </button>
  )
}

test('a picture that fails to load shows a placeholder of the same size; a replacement is loaded again', async () => {
  const container = await render(<Changing />)
  const picture = () => container.querySelector('img')
  await fail(picture())
  expect(picture()?.getAttribute('src')).toBe('/icons/no-picture.svg')
  expect(picture()?.getAttribute('srcset')).toBe('')
  expect(picture()?.getAttribute('width')).toBe('600')
  // The fallback may fail as well while offline. This must not cause a retry loop.
  await fail(picture())
  expect(picture()?.getAttribute('src')).toBe('/icons/no-picture.svg')

  await act(async () => container.querySelector('button')?.click())
  expect(picture()?.getAttribute('srcset')).toBe('/content/b.webp?w=320 320w')
})
