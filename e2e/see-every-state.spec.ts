import { randomUUID } from 'node:crypto'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { subscribePush } from '#contract/endpoints/push.ts'
import { changeReminders } from '#contract/endpoints/reminders.ts'
import { listOfficePeople } from '#contract/office/office.ts'
import { listPushTitlesUntil } from '#server/test/lock-screen.ts'
import { insertPastCourses, withPortalDatabase } from '#server/test/past-season.ts'
import { createCourse, performAtDesk } from './attendance-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { createPerson, openAs, type Person, tokenOf } from './people-steps.ts'
import { inDays } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

type Made = { portal: Portal; id: number; person: Person }

const book = async (portal: Portal, id: number, person: Person) => {
  const token = await tokenOf(portal, person)
  expect(await portal.call(bookCourse, { token, body: { id } })).toMatchObject({ status: 'Ok' })
  return token
}
const cancel = ({ portal, id }: Made) =>
  performAtDesk(portal, { kind: 'cancel-course', courseId: id, note: 'Wasserschaden', note2: 'Water damage' })

/** Switches on all push notifications. */
async function subscribe(portal: Portal, person: Person): Promise<void> {
  const token = await tokenOf(portal, person)
  const push = { mail: false, push: true }
  await portal.call(changeReminders, { token, body: { changes: push, lessonEve: push, opening: push, waiting: push } })
  const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) }
  const body = { endpoint: `https://push.example/${randomUUID()}`, expirationTime: null, keys }
  expect(await portal.call(subscribePush, { token, body })).toMatchObject({ status: 'Ok' })
}

/** How a booking gets into each state, and what each page and the lock screen say about it. */
const STATES: Record<
  string,
  {
    places: number
    make: (made: Made) => Promise<unknown>
    home: RegExp
    mine: RegExp
    details: RegExp
    inbox: RegExp
    /** nothing about what the person has done themselves */
    lockScreen: string[]
  }
> = {
  booked: {
    places: 5,
    make: ({ portal, id, person }) => book(portal, id, person),
    home: /Ihr nächster Termin/,
    mine: /Gebucht/,
    details: /Sie sind dabei/,
    inbox: /Keine Einträge/,
    lockScreen: ['Morgen um 05:00 Uhr'],
  },
  waiting: {
    places: 1,
    make: async ({ portal, id, person }) => {
      await book(portal, id, await createPerson(portal))
      await book(portal, id, person)
    },
    home: /Nummer 1/,
    mine: /Warteliste, Nummer 1/,
    details: /Warteliste, Nummer 1/,
    inbox: /Keine Einträge/,
    lockScreen: [],
  },
  'moved up': {
    places: 1,
    make: async ({ portal, id, person }) => {
      const token = await book(portal, id, await createPerson(portal))
      await book(portal, id, person)
      expect(await portal.call(cancelCourse, { token, body: { id } })).toMatchObject({ status: 'Ok' })
    },
    home: /Ihr nächster Termin/,
    mine: /Gebucht/,
    details: /Sie sind dabei/,
    inbox: /Ein Platz für Sie/,
    lockScreen: ['Ein Platz für Sie', 'Morgen um 05:00 Uhr'],
  },
  cancelled: {
    places: 5,
    make: async made => {
      await book(made.portal, made.id, made.person)
      await cancel(made)
    },
    home: /Dieser Kurs fällt aus.*Wasserschaden/s,
    mine: /Dieser Kurs fällt aus.*Wasserschaden/s,
    details: /fällt aus.*Sie zahlen nichts und müssen nichts weiter tun.*Wasserschaden/s,
    inbox: /Kurs fällt aus.*Wasserschaden/s,
    lockScreen: ['Kurs fällt aus'],
  },
  'cancelled while waiting': {
    places: 1,
    make: async made => {
      await book(made.portal, made.id, await createPerson(made.portal))
      await book(made.portal, made.id, made.person)
      await cancel(made)
    },
    home: /Dieser Kurs fällt aus.*Wasserschaden/s,
    mine: /Dieser Kurs fällt aus.*Wasserschaden/s,
    details: /^(?!.*Buchung ist beendet).*fällt aus.*Sie zahlen nichts.*Wasserschaden/s,
    // Who was waiting had no booking that could have ended.
    inbox: /^(?!.*Buchung ist beendet).*Kurs fällt aus.*Wasserschaden/s,
    lockScreen: ['Kurs fällt aus'],
  },
  restored: {
    places: 5,
    make: async made => {
      await book(made.portal, made.id, made.person)
      await cancel(made)
      await performAtDesk(made.portal, { kind: 'restore-course', courseId: made.id })
    },
    // Open again, nobody is booked.
    home: /^(?!.*Wasserschaden)/s,
    mine: /Noch kein Kurs gebucht/,
    details: /Jetzt buchen/,
    inbox: /Der Kurs findet doch statt.*kommt nicht von selbst zurück/s,
    lockScreen: ['Kurs fällt aus', 'Der Kurs findet doch statt'],
  },
}

test('start page, own courses, messages, costs and course page agree about a course that is settled @extended', async ({
  page,
  portal,
  person,
}) => {
  const name = `Yoga ${randomUUID().slice(0, 6)}`
  const { items } = await portal.call(listOfficePeople, {
    query: { q: person.email },
    token: await tokenOf(portal, { email: emailOf('desk'), password: DEMO_PASSWORD }),
  })
  const courseId = await withPortalDatabase(portal.dataDir, async db => {
    const [id = 0] = await insertPastCourses(db, 1, [{ id: items[0]?.id ?? 0 }], { name, name2: name })
    return id
  })
  await subscribe(portal, person)
  await performAtDesk(portal, { kind: 'settle-courses', courseIds: [courseId] })
  // Settlements cause e-mails and inbox messages, but no push notification: a lock screen shows no amounts.
  expect(await listPushTitlesUntil(portal.dataDir, person.email, inDays(4))).toEqual([])
  await openAs(page, portal, person, '/home')
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // Nothing of it is to come.
  await expect(main).not.toContainText(name)
  await page.goto('/courses/booked')
  await expect(main).toContainText(new RegExp(`Beendete Kurse.*${name}`, 's'))
  const word = main.getByRole('link', { name: 'Ein Wort an die Kursleitung' })
  await expect(word).toHaveAttribute('href', new RegExp(`^mailto:[^?]+[?]subject=.*${encodeURIComponent(name)}`))
  await page.goto('/messages')
  await expect(main).toContainText(new RegExp(`Abgerechnet: ${name}.*Zu zahlen: 45,00`, 's'))
  await page.goto('/costs')
  await expect(main).toContainText(new RegExp(`${name}.*45,00`, 's'))
  await page.goto(`/course-details/${courseId}`)
  await expect(main).toContainText(/^(?!.*Sie sind dabei).*0 von 3 Terminen besucht.*Dieser Kurs ist beendet/s)
  await expect(main.getByText('In den Kalender')).toBeHidden()
})

for (const [state, { places, make, ...words }] of Object.entries(STATES)) {
  test(`start page, own courses, course page, messages and lock screen agree about a course that is ${state} @extended`, async ({
    page,
    portal,
    person,
  }) => {
    const dates = [inDays(5), inDays(12), inDays(19)]
    const { id } = await createCourse(portal, { dates, participants: places })
    const made = { portal, id, person }
    await subscribe(portal, person)
    await make(made)
    expect(await listPushTitlesUntil(portal.dataDir, person.email, inDays(4))).toEqual(words.lockScreen)
    await openAs(page, portal, person, '/home')
    const main = page.getByRole('main')
    await expect(main).toContainText(words.home)
    await page.goto('/courses/booked')
    await expect(main).toContainText(words.mine)
    await page.goto('/messages')
    await expect(main).toContainText(words.inbox)
    await page.goto(`/course-details/${id}`)
    await expect(main).toContainText(words.details)
    if (state !== 'cancelled') return
    // Read in the messages, so the start page need not begin with it any more.
    await page.goto('/home')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(main).not.toContainText('Wasserschaden')
  })
}
