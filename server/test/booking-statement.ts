import type { Queryable } from '#server/db/client.ts'
import { insertBookings, type NewBooking } from '#server/features/bookings/booking-repository.ts'

type Asked = Pick<NewBooking, 'courseId' | 'webUserId'>

/** Stand among the values of a statement in place of numbers. */
export const PLACEHOLDERS = { courseId: 'course', webUserId: 'person' } as unknown as Asked

/** The statement that books, as the portal sends it for people who come at once. @param mail what each of them is told, as JSON */
export async function statementOfBookings(
  asked: Asked[],
  mail: string,
): Promise<{ text: string; values: readonly unknown[] }> {
  let sent = { text: '', values: [] as readonly unknown[] }
  const db = {
    query: async (statement: typeof sent) => {
      sent = { text: statement.text, values: statement.values }
      return []
    },
  } as unknown as Queryable
  const fee = { cents: 0, rule: 'fee', energyCents: 0, onceVerifiedCents: null } as const
  await insertBookings(
    db,
    asked.map(one => ({ ...one, fee, employeeStatus: 1, mayWait: true, mail })),
  )
  return sent
}
