import { act } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { render } from '#test/render.tsx'
import { initializeTexts } from '../../../i18n/i18n.ts'
import { addOfficeTexts } from '../../../i18n/office-texts.ts'
import { CropField } from './crop-field.tsx'

beforeAll(async () => {
  await initializeTexts()
  addOfficeTexts()
})
afterEach(() => vi.restoreAllMocks())

/** A browser that decodes all pictures, and writes only these types. Others become PNG, as the HTML standard requires. */
function stubCanvas(written: string[], alpha: number): void {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 400, height: 300 }))
  const context = { drawImage: () => undefined, getImageData: () => ({ data: new Uint8ClampedArray(8).fill(alpha) }) }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type = '') =>
    done(new Blob(['x'], { type: written.includes(type) ? type : 'image/png' })),
  )
}

const CHROMIUM = ['image/png', 'image/jpeg', 'image/webp']
const SAFARI = ['image/png', 'image/jpeg']

test.each([
  ['an opaque WebP in Chromium', CHROMIUM, 'a.webp', 'image/webp', 255, 'a.webp'],
  ['an opaque WebP in Safari, which writes none', SAFARI, 'a.webp', 'image/webp', 255, 'a.jpg'],
  ['a transparent WebP in Safari', SAFARI, 'a.webp', 'image/webp', 0, 'a.png'],
  ['an opaque AVIF in Safari', SAFARI, 'a.avif', 'image/avif', 255, 'a.jpg'],
  ['an opaque PNG in Safari', SAFARI, 'a.png', 'image/png', 255, 'a.png'],
  ['a JPEG in Safari', SAFARI, 'a.jpeg', 'image/jpeg', 255, 'a.jpg'],
])('a crop of %s has a type that fits content and name', async (_, written, name, type, alpha, cropped) => {
  stubCanvas(written, alpha)
  const onCropped = vi.fn<(file: File) => void>()
  const container = await render(
    <CropField file={new File(['x'], name, { type })} onCropped={onCropped} />,
    'office-content',
  )
  const select = container.querySelector<HTMLSelectElement>('select')
  if (!select) throw new Error(container.innerHTML)
  await act(async () => {
    select.value = [...select.options].at(-1)?.value ?? ''
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await act(async () => container.querySelector('button')?.click())
  const [[file] = []] = onCropped.mock.calls
  expect(file?.name).toBe(cropped)
  expect(file?.type).toBe(`image/${cropped.split('.')[1]?.replace('jpg', 'jpeg')}`)
})
