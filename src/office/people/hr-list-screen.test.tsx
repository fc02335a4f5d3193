import { act } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { showError } from '#lib/toast.ts'
import { render } from '#test/render.tsx'
import { initializeTexts } from '../../i18n/i18n.ts'
import { addOfficeTexts } from '../../i18n/office-texts.ts'
import { HrListScreen } from './hr-list-screen.tsx'

vi.mock('#lib/toast.ts', () => ({ showError: vi.fn() }))

beforeAll(async () => {
  await initializeTexts()
  addOfficeTexts()
})

function answerFile(answer: Response) {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=known')
  vi.stubGlobal('fetch', async ({ method }: Request) =>
    method === 'GET' ? Response.json({ items: [], next: null }) : answer,
  )
}

async function checkList() {
  const container = await render(<HrListScreen />, 'office', 'office-people', 'accounts')
  const input = container.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no field for the file')
  Object.defineProperty(input, 'files', { value: [new File(['Personalnummer'], 'list.csv')] })
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })))
  return container
}

const ours = { status: 'Failed', message: 'Die Datei ist zu groß: höchstens 20 MB.' }

test.each([
  [
    'a proxy',
    new Response('<h1>413</h1>', { status: 413 }),
    'Ein Server vor dem Portal nimmt so große Dateien nicht an.',
  ],
  ['the portal', Response.json(ours, { status: 413 }), ours.message],
  ['a captive portal', new Response('<h1>Welcome</h1>', { status: 200 }), 'Das Portal antwortet gerade nicht.'],
])('a list that %s refuses or swallows leads to a message that says so', async (_, answer, message) => {
  vi.mocked(showError).mockClear()
  answerFile(answer)
  await checkList()
  await vi.waitFor(() => expect(showError).toHaveBeenCalledWith(expect.stringContaining(message)))
})

test('a list is checked by a server that does not name hidden rows yet', async () => {
  answerFile(Response.json({ sheet: '', rows: [['Personalnummer'], ['00042']], otherSheets: [] }))
  const container = await checkList()
  await vi.waitFor(() => expect(container.textContent).toContain('list.csv'))
})
