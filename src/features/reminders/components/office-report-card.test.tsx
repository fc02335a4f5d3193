import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { DEFAULT_REMINDERS, type Reminders } from '#contract/endpoints/reminders.ts'
import { render } from '#test/render.tsx'
import { OfficeReportCard } from './office-report-card.tsx'

test('e-mails that were ended after the page was loaded stay ended when another one is chosen', async () => {
  let stored: Reminders = {
    ...DEFAULT_REMINDERS,
    opening: { mail: true, push: false },
    officeReport: { weekly: true, monthly: false },
  }
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=known')
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PUT') stored = await request.json()
    return Response.json(stored)
  })
  const container = await render(<OfficeReportCard />, 'reminders')
  const boxes = () => [...container.querySelectorAll<HTMLInputElement>('input')]
  await vi.waitFor(() => expect(boxes().map(({ checked }) => checked)).toEqual([true, false]))
  const { officeReport: _, ...ended } = { ...stored, opening: { mail: false, push: false } }
  stored = ended
  await act(async () => boxes()[1]?.click())
  await vi.waitFor(() => expect(stored).toEqual({ ...ended, officeReport: { weekly: false, monthly: true } }))
  await vi.waitFor(() => expect(boxes().map(({ checked }) => checked)).toEqual([false, true]))
  // Both of two quick changes are saved.
  await act(async () => boxes()[0]?.click())
  await act(async () => boxes()[1]?.click())
  await vi.waitFor(() => expect(stored.officeReport).toEqual({ weekly: true, monthly: false }))
})

test('the link in the e-mail moves the focus to the choice, not only the page', async () => {
  vi.stubGlobal('fetch', async () => Response.json(DEFAULT_REMINDERS))
  window.location.hash = '#report-mail'
  Element.prototype.scrollIntoView ??= vi.fn()
  await render(<OfficeReportCard />, 'reminders')
  expect(document.activeElement?.id).toBe('report-mail')
})
