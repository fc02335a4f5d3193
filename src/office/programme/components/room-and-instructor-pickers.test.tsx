import { act, useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { control, fill, render } from '#test/render.tsx'
import { initializeTexts } from '../../../i18n/i18n.ts'
import { addOfficeTexts } from '../../../i18n/office-texts.ts'
import { RoomAndInstructorPickers } from './room-and-instructor-pickers.tsx'

beforeAll(async () => {
  await initializeTexts()
  addOfficeTexts()
})

const FREE = {
  dates: ['2026-12-07'],
  holidays: [],
  rooms: [{ roomId: 2, name: 'Halle 2', site: 'Südstadt', capacity: 20, taken: 0, by: '' }],
  instructors: [
    { email: 'aylin@demo.example', name: 'Aylin Karaca', taken: 0, by: '' },
    { email: 'sibel@demo.example', name: 'Sibel Arslan', taken: 0, by: '' },
  ],
}
/** The form of a new course that was prefilled from another one. */
const COPIED = {
  start: '2026-12-07',
  startTime: '18:00',
  endTime: '19:00',
  venue: 'Kantine',
  city: 'Nordstadt',
  location: 'über der Kantine, Tor Nord',
  location2: 'above the canteen, north gate',
  instructorEmails: ['aylin@demo.example'],
  instructor: 'Aylin Karaca',
}

let form: Record<string, unknown> = {}
function Form({ areCopied }: { areCopied: boolean }) {
  const [fields, setFields] = useState<Record<string, unknown>>(COPIED)
  form = fields
  return (
    <RoomAndInstructorPickers
      course={fields}
      courseId={null}
      areCopied={areCopied}
      change={changed => setFields(before => ({ ...before, ...changed }))}
    />
  )
}

async function renderForm(areCopied: boolean) {
  vi.stubGlobal('fetch', async () => Response.json(FREE))
  const page = await render(<Form areCopied={areCopied} />)
  await vi.waitFor(() => control(page, 'room'))
  return page
}

test('a room replaces the directions, and an instructor replaces the copied one with the displayed name', async () => {
  const page = await renderForm(true)
  await fill(page, 'room', '2')
  expect(form).toMatchObject({ venue: 'Halle 2', city: 'Südstadt', location: '', location2: '' })
  await fill(page, 'instructor', 'sibel@demo.example')
  expect(form).toMatchObject({ instructorEmails: ['sibel@demo.example'], instructor: 'Sibel Arslan' })
})

test('instructors of a course are added and removed by name, and the displayed name follows', async () => {
  const page = await renderForm(false)
  await fill(page, 'instructor', 'sibel@demo.example')
  expect(form).toMatchObject({ instructor: 'Aylin Karaca, Sibel Arslan' })
  await act(async () => page.querySelector<HTMLElement>('[aria-label="Aylin Karaca entfernen"]')?.click())
  expect(form).toMatchObject({ instructorEmails: ['sibel@demo.example'], instructor: 'Sibel Arslan' })
})
