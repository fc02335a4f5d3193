import { expect, test } from 'vitest'
import { createVersionCheck } from './version-check.ts'

const check = createVersionCheck([{ url: 'index.html' }, { url: 'assets/index-1.js' }, { url: 'assets/index-1.css' }])
const isPrecached = async (path: string, response: Response) => {
  const request = new Request(`https://sport.example.com/${path}`)
  return (await check.cacheWillUpdate({ request, response })) !== null
}
const page = (version: number) =>
  new Response(`<link href="/assets/index-1.css"><script src="/assets/index-${version}.js"></script>`)

test('a page is precached with its own version only', async () => {
  expect(await isPrecached('index.html', page(1))).toBe(true)
  expect(await isPrecached('index.html', page(2))).toBe(false)
})

test('other files are precached unless they are missing', async () => {
  expect(await isPrecached('assets/index-1.js', new Response('"/assets/desk-1.js"'))).toBe(true)
  expect(await isPrecached('assets/index-1.js', new Response('', { status: 404 }))).toBe(false)
})

test('a precached page keeps its content', async () => {
  const response = page(1)
  await isPrecached('index.html', response)
  expect(await response.text()).toContain('index-1.js')
})
