import { act, type ReactElement } from 'react'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Course } from '#contract/endpoints/courses.ts'
import { answeredPrice, COURSE_KINDS, EXPECTED, type Group, KIND_NAMES } from '#contract/test/prices.ts'
import { formatMoney } from '#contract/words.ts'
import { CourseCard } from '#features/courses/components/course-card.tsx'
import { CourseFacts } from '#features/courses/components/course-facts.tsx'
import { WaiverProgress } from '#features/courses/components/waiver-progress.tsx'
import { useCourseIndex, useCourseStates, useFetchedCourses } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { useOnline } from '#lib/online.ts'
import { dateOf, testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { initializeTexts } from '../../../i18n/i18n.ts'
import { useBookedCourses } from '../resource.ts'
import { useBookings } from '../store.ts'
import { bookCourse, cancelBooking, undoCancellation } from '../sync.ts'
import { BookingSection } from './booking-block.tsx'
import { CancelButton } from './cancel-button.tsx'
import { lazyBookingActions } from './lazy-booking-actions.ts'
import { BookingResultDialog } from './outcome-dialog.tsx'

const LESSONS = ['2026-12-02 18:00', '2026-12-09 18:00', '2026-12-16 18:00', '2026-12-23 18:00'].map(dateOf)
const session = { id: 't', userName: 'kim', givenName: 'Kim', familyName: 'Muster', isInstructor: false } as const

/** Sets the stored courses and the user's relation to them. */
function know(...courses: Course[]): void {
  useCourseIndex.setState({ data: courses })
  useCourseStates.setState({ data: courses })
  useFetchedCourses.setState({ byId: new Map(courses.map(course => [course.id, course])) })
}

// Counts taps without sending them.
vi.mock('../sync.ts', () => ({
  bookCourse: vi.fn(async () => {}),
  cancelBooking: vi.fn(async () => {}),
  undoCancellation: vi.fn(async () => {}),
}))

beforeAll(async () => {
  await initializeTexts()
  await lazyBookingActions.preload()
})
beforeEach(() => {
  vi.mocked(bookCourse).mockClear()
  vi.setSystemTime(new Date('2026-11-21T12:00:00Z'))
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  useOnline.setState({ isOnline: true })
  useSession.setState({ session: { ...session } as never, phase: 'started' })
  useBookedCourses.setState({ data: [], phase: 'ready' })
  useBookings.setState({ pending: new Map(), agreed: new Map() })
  know()
})

const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ')
/** Text of an element, with a separator between adjacent nodes. */
const wordsOf = (element: Node | null | undefined): string =>
  !element?.hasChildNodes() ? plain(element?.textContent) : [...element.childNodes].map(wordsOf).join(' ')
/** Renders a card and unfolds it. */
async function renderUnfolded(card: ReactElement): Promise<HTMLElement> {
  const container = await render(card, 'courses', 'bookings', 'own-bookings')
  await act(async () => container.querySelector<HTMLElement>('[aria-expanded=false]')?.click())
  return container
}
const base = { dates: LESSONS, start: LESSONS[0], end: LESSONS[3], startTime: dateOf('0-0-0 18:00') } as Partial<Course>

const GROUPS: Group[] = ['member', 'other', 'external']
describe.each(KIND_NAMES.flatMap(kind => GROUPS.map(group => [kind, group] as const)))(
  'the price of a course of the kind %s for the group %s',
  (kind, group) => {
    const { fee, externalFee, energyFee, freeWithAttendance } = COURSE_KINDS[kind]
    const price = answeredPrice(kind, group)
    const [amount, line] = EXPECTED[kind][group]
    const sum = amount === 0 ? 'kostenlos' : plain(formatMoney(amount))
    const course = testCourse({
      ...base,
      fee,
      externalFee: externalFee ?? fee + 15,
      energyFee,
      freeWithAttendance,
      price,
      bookable: true,
      directlyBookable: true,
      cancelUntil: { ...dateOf('2026-12-09 23:59'), second: 59 },
    })
    const mine = { ...course, bookingStatus: 1, bookable: false, cancellabel: true } as const
    const [externalAmount] = EXPECTED[kind].external
    const forExternals =
      group === 'external' || externalAmount === amount ? '' : `Externe ${plain(formatMoney(externalAmount))}`
    /** The lines of the text, top to bottom. */
    const parts = line
      .replace(`${sum}`, '')
      .split(/[()]|, /)
      .map(part => part.trim())
      .filter(Boolean)

    test.each([
      ['card', <CourseCard key="card" course={course} mode="list" isLoggedIn />],
      ['my courses', <CourseCard key="mine" course={mine} mode="participant" isLoggedIn />],
      ['details', <CourseFacts key="facts" course={course} hasPlaces={false} />],
    ])(
      'is shown on the %s as in the e-mail; the only other price is that for external participants',
      async (_place, element) => {
        const shown = wordsOf(await renderUnfolded(element))
        expect(shown).toContain(forExternals)
        const text = shown.replace(forExternals, '')
        for (const part of [sum, ...parts]) expect(text).toContain(part)
        if (amount > 0) expect(text).not.toContain('kostenlos')
        const sums = new Set(text.match(/\d+,\d\d €/g) ?? [])
        expect(sums).toEqual(new Set(line.match(/\d+,\d\d €/g) ?? []))
      },
    )

    test('is shown on the button, in the confirmation and on its button; a free course is booked with one tap', async () => {
      const container = await render(
        <BookingSection course={course} isOver={false} isChecking={false} />,
        'courses',
        'bookings',
        'own-bookings',
      )
      const button = container.querySelector('button')
      expect(plain(button?.textContent)).toContain(amount === 0 ? 'Jetzt buchen' : sum)
      await act(async () => button?.click())
      if (amount === 0) return expect(bookCourse).toHaveBeenCalledOnce()
      expect(bookCourse).not.toHaveBeenCalled()
      const step = document.querySelector('[role=dialog]')
      expect(wordsOf(step)).toContain(`Zusammen ${sum}`)
      const binding = [...(step?.querySelectorAll('button') ?? [])].find(({ textContent }) =>
        /buchen/.test(textContent),
      )
      expect(plain(binding?.textContent)).toBe(`Verbindlich buchen für ${sum}`)
      expect(step?.textContent?.includes('zwei Drittel')).toBe(price.freeWithAttendance)
    })
  },
)

test('an unverified user sees the price now and the price once verified', async () => {
  const price = { ...answeredPrice('feeAndEnergy', 'external'), priceOnceVerified: 54 }
  const course = testCourse({
    ...base,
    fee: 45,
    externalFee: 60,
    energyFee: 9,
    price,
    bookable: true,
    directlyBookable: true,
  })
  for (const element of [
    <CourseCard key="card" course={course} mode="list" isLoggedIn />,
    <CourseFacts key="facts" course={course} hasPlaces={false} />,
  ]) {
    const text = wordsOf(await renderUnfolded(element))
    expect(text).toContain('69,00 €')
    expect(text).toContain('54,00 €, sobald Ihre Zugehörigkeit bestätigt ist')
  }
  const block = <BookingSection course={course} isOver={false} isChecking={false} />
  const container = await render(block, 'courses', 'bookings', 'own-bookings')
  await act(async () => container.querySelector('button')?.click())
  const step = wordsOf(document.querySelector('[role=dialog]'))
  expect(step).toContain('Zusammen 69,00 €')
  expect(step).toContain('Sobald sie bestätigt ist, zahlen Sie 54,00 €')
})

const until = (day: string) => ({ ...dateOf(`${day} 23:59`), second: 59 })
const booked = { ...base, bookingStatus: 1, cancellabel: true, participation: 0 } as const
const toPast = (text: string, today: string) =>
  (text.match(/\d\d\.\d\d\.\d{4}/g) ?? []).filter(day => day.split('.').reverse().join('-') < today)

// A stored response may be old: the time of the response and the time of display differ.
test.each<[string, string, Partial<Course>, string | null, boolean]>([
  ['booked before the start', '2026-11-21', { ...booked, cancelUntil: until('2026-12-09') }, '09.12.2026', true],
  [
    'booked before the start, on the last day of free cancellation',
    '2026-12-09',
    { ...booked, cancelUntil: until('2026-12-09') },
    '09.12.2026',
    true,
  ],
  [
    'booked before the start, after that day with a stored response from before',
    '2026-12-10',
    { ...booked, cancelUntil: until('2026-12-09') },
    null,
    false,
  ],
  [
    'booked before the start, after the deadline',
    '2026-12-12',
    { ...booked, cancellabel: false, cancelUntil: null },
    null,
    false,
  ],
  [
    'promoted from the waiting list while the course runs',
    '2026-12-15',
    { ...booked, cancelUntil: until('2026-12-23') },
    '23.12.2026',
    true,
  ],
  [
    'promoted from the waiting list at the end, with Christmas before the deadline',
    '2026-12-24',
    { ...booked, cancelUntil: until('2026-12-31') },
    '31.12.2026',
    true,
  ],
  [
    'on the waiting list while the course runs',
    '2026-12-15',
    { ...booked, bookingStatus: 2, cancelUntil: null, waitingListPosition: 2 },
    null,
    true,
  ],
  [
    'not booked, while the course runs',
    '2026-12-15',
    { ...base, bookable: true, directlyBookable: true, cancelUntil: until('2026-12-23') },
    '23.12.2026',
    false,
  ],
  [
    'not booked, with a stored response from before the deadline',
    '2026-12-28',
    { ...base, bookable: true, directlyBookable: true, cancelUntil: until('2026-12-23') },
    null,
    false,
  ],
])(
  'details and card show whether a booking can be cancelled: %s',
  async (_case, today, changes, day, isCancellable) => {
    vi.setSystemTime(new Date(`${today}T12:00:00Z`))
    const course = testCourse(changes)
    const isOver = today > '2026-12-23'
    const details = await render(
      <BookingSection course={course} isOver={isOver} isChecking={false} />,
      'courses',
      'bookings',
      'own-bookings',
    )
    const text = details.textContent ?? ''
    expect(toPast(text, today)).toEqual([])
    expect(text.match(/stornierbar bis (\d\d\.\d\d\.\d{4})/)?.[1] ?? null).toBe(day)
    const cancelButton = [...details.querySelectorAll('button')].find(({ textContent }) =>
      /^(Stornieren|Warteliste verlassen)$/.test(textContent),
    )
    expect(cancelButton !== undefined && !cancelButton.disabled).toBe(isCancellable)
    const card = await render(<CourseCard course={course} mode="participant" isLoggedIn />, 'courses')
    // Nobody has to cancel a position on the waiting list.
    expect(card.textContent?.includes('stornierbar')).toBe(isCancellable && course.bookingStatus === 1)
  },
)

test.each([
  ['confirmed', { confirmed: true }, 'Kurs findet statt'],
  ['not confirmed', { confirmed: false }, 'Noch nicht bestätigt'],
  ['cancelled', { confirmed: true, cancelled: true }, null],
  ['over', { confirmed: true, end: dateOf('2026-11-20') }, null],
])('the expanded card of a course that is %s', async (_case, changes, words) => {
  const course = testCourse({ ...base, ...changes })
  const card = await renderUnfolded(<CourseCard course={course} mode="list" isLoggedIn={false} />)
  expect(card.textContent?.match(/Kurs findet statt|Noch nicht bestätigt/)?.[0] ?? null).toBe(words)
})

test('the dialog after booking names the first lesson and the cancellation deadline', async () => {
  const course = testCourse({ ...booked, cancelUntil: until('2026-12-09') })
  await render(
    <BookingResultDialog outcome={{ kind: 'booked', course, isUndoable: false }} />,
    'own-bookings',
    'bookings',
    'courses',
  )
  const text = document.querySelector('[role=dialog]')?.textContent
  expect(text).toContain('Ihr erster Termin: Mi\u00a002.12.2026, 18:00\u00a0Uhr')
  expect(text).toContain('stornierbar bis 09.12.2026')
})

test.each([
  ['the waiting list is not empty', 2, false, 'geht an die nächste Person'],
  ['the waiting list is empty', 0, false, 'können Sie neu buchen'],
  ['the course is over', 2, true, 'Sie zahlen nichts'],
])('the cancellation dialog explains what happens to the seat: %s', async (_case, currentWaiting, isOver, expected) => {
  const attendance = { held: 1, present: 1, excused: 0, unrecorded: 0, planned: 4, needed: 3 }
  const course = testCourse({ ...booked, attendance, currentWaiting, cancelUntil: until('2026-12-09') })
  const container = await render(<CancelButton course={course} isOver={isOver} />, 'own-bookings', 'bookings')
  await act(async () => container.querySelector('button')?.click())
  const text = document.querySelector('[role=dialog]')?.textContent ?? ''
  expect(text).toContain(expected)
  expect(text.includes('nächste Person')).toBe(expected.includes('nächste Person'))
})

test('a booking is cancelled without confirmation if the waiting list is empty, and can be made again', async () => {
  const course = testCourse({ ...booked, cancelUntil: until('2026-12-09') })
  const container = await render(<CancelButton course={course} isOver={false} />, 'own-bookings', 'bookings')
  await act(async () => container.querySelector('button')?.click())
  expect(cancelBooking).toHaveBeenCalledWith(course.id, 0)
  expect(document.querySelector('[role=dialog]')).toBeNull()
  const outcome = { kind: 'cancelled', course, isUndoable: true } as const
  await render(<BookingResultDialog outcome={outcome} />, 'own-bookings', 'bookings', 'courses')
  const undo = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Rückgängig')
  await act(async () => undo?.click())
  expect(undoCancellation).toHaveBeenCalledWith(course.id)
})

test('giving up the last place of a full course requires a confirmation', async () => {
  vi.mocked(cancelBooking).mockClear()
  const course = testCourse({ ...booked, cancelUntil: until('2026-12-09'), participants: 5, currentParticipants: 5 })
  const container = await render(<CancelButton course={course} isOver={false} />, 'own-bookings', 'bookings')
  await act(async () => container.querySelector('button')?.click())
  expect(cancelBooking).not.toHaveBeenCalled()
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('kann ihn sofort jemand anders buchen')
})

describe('a time conflict', () => {
  const wanted = testCourse({ ...base, bookable: true, directlyBookable: true, price: answeredPrice('free', 'member') })
  const other = testCourse({ ...base, id: 2, name: 'Yoga', bookingStatus: 1, dates: LESSONS.slice(2) })
  beforeEach(() => know(wanted, other))

  test('is shown on the cards of both courses', async () => {
    const card = await renderUnfolded(<CourseCard course={wanted} mode="list" isLoggedIn />)
    expect(wordsOf(card)).toContain('Zur selben Zeit: Yoga (16.12.2026)')
    know({ ...wanted, bookingStatus: 2 }, other)
    const mine = await renderUnfolded(<CourseCard course={other} mode="participant" isLoggedIn />)
    expect(wordsOf(mine)).toContain('Zur selben Zeit: Rückenfit am Feierabend (16.12.2026)')
  })

  test('of lessons that only follow closely is not called an overlap on the card', async () => {
    const close = { ...other, startTime: dateOf('0-0-0 18:45'), endTime: dateOf('0-0-0 19:30'), city: 'Lindhafen' }
    const dates = close.dates.map(date => ({ ...date, hour: 18, minute: 45 }))
    know(wanted, { ...close, dates })
    const card = await renderUnfolded(<CourseCard course={wanted} mode="list" isLoggedIn />)
    expect(wordsOf(card)).toContain('Knapp davor oder danach')
    expect(wordsOf(card)).not.toContain('Überschneidung')
  })

  test('requires a confirmation for a course that can otherwise be booked with one tap', async () => {
    const container = await render(
      <BookingSection course={wanted} isOver={false} isChecking={false} />,
      'courses',
      'bookings',
      'own-bookings',
    )
    await act(async () => container.querySelector('button')?.click())
    expect(bookCourse).not.toHaveBeenCalled()
    const step = document.querySelector('[role=dialog]')
    expect(step?.textContent).toContain('Zur selben Zeit: Yoga (16.12.2026)')
    const anyway = [...(step?.querySelectorAll('button') ?? [])].find(
      ({ textContent }) => textContent === 'Trotzdem buchen',
    )
    await act(async () => anyway?.click())
    expect(bookCourse).toHaveBeenCalledOnce()
    // The response was lost: the next tap requires no second confirmation.
    await act(async () => container.querySelector('button')?.click())
    expect(bookCourse).toHaveBeenCalledTimes(2)
  })
})

test('a member of the health insurer reads beside every price that a certified course is refundable', async () => {
  const price = answeredPrice('fee', 'other')
  const course = testCourse({
    ...base,
    price,
    bookable: true,
    directlyBookable: true,
    centralTestInstitute: 'KU-BE-2TN8WF',
  })
  const show = async () => {
    const facts = wordsOf(await render(<CourseFacts course={course} hasPlaces={false} />, 'courses'))
    const block = await render(
      <BookingSection course={course} isOver={false} isChecking={false} />,
      'courses',
      'bookings',
      'own-bookings',
    )
    await act(async () => block.querySelector('button')?.click())
    return [facts, wordsOf(document.querySelector('[role=dialog]'))]
  }
  const insured = { ...session, employeeStatus: 5 }
  useSession.setState({ session: insured as never })
  for (const words of await show()) expect(words).toContain('erstattungsfähig')
  useSession.setState({ session: { ...session, employeeStatus: 2 } as never })
  for (const words of await show()) expect(words).not.toContain('erstattungsfähig')
})

test('a booking confirmed before the opening looks prepared and shows the time left', async () => {
  const course = testCourse({
    ...base,
    price: answeredPrice('fee', 'member'),
    seasonBookable: false,
    obstacle: 'notOpen',
    bookableFrom: dateOf('2026-11-21 13:02'),
  })
  know(course)
  const container = await render(
    <BookingSection course={course} isOver={false} isChecking={false} />,
    'courses',
    'bookings',
    'own-bookings',
  )
  const press = (label: RegExp) =>
    act(async () =>
      [...document.querySelectorAll('button')].find(({ textContent }) => label.test(textContent))?.click(),
    )
  await press(/^Buchung vorbereiten$/)
  await press(/^Vorbereiten: um/)
  expect(wordsOf(container)).toMatch(/Vorbereitet ✓ · noch 02:00/)
  expect(wordsOf(container.querySelector('ul'))).toContain('Buchung vorbereitet')
})

test('the button for joining the waiting list names no price, which waiting does not have', async () => {
  const course = testCourse({
    ...base,
    price: answeredPrice('fee', 'member'),
    bookable: true,
    currentBooked: 20,
    currentParticipants: 20,
  })
  const container = await render(<BookingSection course={course} isOver={false} isChecking={false} />, 'bookings')
  expect(container.querySelector('button')?.textContent).toBe('Auf die Warteliste')
})

test('an external participant sees that a full course is fully booked and gets no button', async () => {
  const obstacleText = 'Der Kurs ist ausgebucht.'
  const full = testCourse({
    ...base,
    currentBooked: 20,
    currentParticipants: 20,
    obstacle: 'fullForExternals',
    obstacleText,
  })
  know(full)
  const card = await render(<CourseCard course={full} mode="list" isLoggedIn />, 'courses')
  expect(wordsOf(card)).toContain('Ausgebucht')
  expect(wordsOf(card)).not.toContain('Nur Warteliste')
  const block = await render(<BookingSection course={full} isOver={false} isChecking={false} />, 'bookings')
  expect(wordsOf(block)).toContain(obstacleText)
  expect(block.querySelectorAll('button')).toHaveLength(0)
})

test('dots and details show how many lessons were attended and how many are not recorded', async () => {
  const attendance = { held: 7, present: 6, excused: 0, unrecorded: 2, planned: 10, needed: 7 }
  const mine = testCourse({ ...base, bookingStatus: 1, attendance })
  know(mine)
  const words = '6 von 7 besucht, 2 noch nicht erfasst'
  const dots = await render(<WaiverProgress course={mine} />, 'courses', 'own-bookings')
  expect(dots.querySelector('[role=img]')?.getAttribute('aria-label')).toBe(words)
  const block = await render(<BookingSection course={mine} isOver={false} isChecking={false} />, 'bookings')
  expect(wordsOf(block)).toContain(words)
})
