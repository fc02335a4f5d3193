/**
 * Does something before a moment that soon comes. A machine that was too busy for it does it once more, before a later one.
 * @param act gets the moment
 * @returns what it gave, and how long to wait for the moment
 */
export async function beforeMoment<T>(act: (moment: Date) => Promise<T>): Promise<{ given: T; waitMs: number }> {
  for (let ahead = 500; ; ahead *= 2) {
    const moment = new Date(Date.now() + ahead)
    const given = await act(moment)
    const waitMs = moment.getTime() - Date.now()
    if (waitMs > 0) return { given, waitMs }
  }
}
