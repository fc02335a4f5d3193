import { expect, test } from 'vitest'
import { messagePathOf, readMessageFilter } from './audience-model.ts'

test('the URL of the message screen describes the recipients, without invalid values', () => {
  const filter = {
    seasonIds: [3],
    courseIds: [1, 2],
    sites: ['Werk Nord'],
    date: '2027-02-01',
    until: '2027-02-07',
    employeeStatuses: [1],
    states: ['booked', 'owes'],
  } satisfies Parameters<typeof messagePathOf>[0]
  const read = (path: string) => readMessageFilter(new URL(path, 'https://sport.example').searchParams)
  expect(read(messagePathOf(filter))).toEqual(filter)
  expect(read('/office/messages?courseIds=x,4&states=all&date=tomorrow&employeeStatuses=99')).toEqual({
    courseIds: [4],
  })
})
