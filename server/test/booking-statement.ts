import type { Queryable } from '#server/db/client.ts'
import { insertBookings } from '#server/features/bookings/booking-repository.ts'

/**
 * The statement that books for one person, as the portal sends it: 'person' and 'course' stand among its values in place of their
 * numbers.
 */
export async function statementOfBooking(mail: string): Promise<{ text: string; values: readonly unknown[] }> {
  let sent = { text: '', values: [] as readonly unknown[] }
  const db = {
    query: async (statement: typeof sent) => {
      sent = { text: statement.text, values: statement.values }
      return []
    },
  } as unknown as Queryable
  const [courseId, webUserId] = ['course', 'person'] as unknown as [number, number]
  const fee = { cents: 0, rule: 'fee', energyCents: 0 } as const
  await insertBookings(db, [{ courseId, webUserId, fee, employeeStatus: 1, mayWait: true, mail }])
  return sent
}
