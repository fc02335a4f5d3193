/**
 * Calls `act` before a time in the near future. If the machine is too busy to finish in time, calls it again with a
 * later time.
 * @param act receives the time
 * @returns the result of `act`, and the remaining time to wait
 */
export async function beforeMoment<T>(act: (moment: Date) => Promise<T>): Promise<{ given: T; waitMs: number }> {
  for (let ahead = 500; ; ahead *= 2) {
    const moment = new Date(Date.now() + ahead)
    const given = await act(moment)
    const waitMs = moment.getTime() - Date.now()
    if (waitMs > 0) return { given, waitMs }
  }
}
