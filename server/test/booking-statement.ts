import { insertBookings, type NewBooking } from '#server/features/bookings/booking-repository.ts'
import type { Queryable } from '#server/platform/db/client.ts'

type Asked = Pick<NewBooking, 'courseId' | 'webUserId'>

/** Placeholders for numbers among the values of a statement. */
export const PLACEHOLDERS = { courseId: 'course', webUserId: 'person' } as unknown as Asked

/**
 * Returns the statement with which the portal books for concurrent callers.
 * @param mail payload of each person's mail as JSON
 */
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
