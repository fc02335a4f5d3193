import type { Language } from '#contract/values.ts'
import { MANUAL_ENTRY_KINDS, SETTLEMENT_ENTRY_KINDS } from '#contract/values.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { listEntrySums } from '#server/features/money/ledger-repository.ts'
import { isUnrecordedLesson, lastLessonEnd, sumCents } from '#server/features/money/rules.ts'
import type { CourseToSettle } from '#server/features/money/settlement-repository.ts'
import type { SettlementResult } from '#server/features/money/settlement-service.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { Notice } from '#server/platform/outbox/notices.ts'
import { translate } from '#server/platform/texts/translate.ts'

/** Path of the app's page that shows a user's own costs. */
export const OWN_COSTS_PATH = '/costs'

/**
 * Verifies that a course can be settled.
 * @throws ActRejected Failed before the end of the last lesson; Reason for lessons without attendance or an open
 * attendance list (money.md rule 10)
 */
export function requireSettleableCourse(office: OfficeContext, course: CourseToSettle, now: string): void {
  if (course.isCancelled) return
  const { number, lessons } = course
  const end = lastLessonEnd(lessons)
  if (end !== null && end > now) office.fail('failed.notOver', { number })
  const open = lessons.filter(lesson => isUnrecordedLesson(lesson, now)).length
  if (open > 0) office.askReason('reason.openLessons', { number, count: open })
  if (!course.isClosed) office.askReason('reason.openList', { number })
}

/** Converts the result of settling a course to the format of the action's response; amounts in euros. */
export function toSettlementResult({ course, lines, entries }: SettlementResult) {
  const sums = SETTLEMENT_ENTRY_KINDS.map(kind => {
    const cents = lines.reduce((sum, line) => sum + (kind === 'floor' ? 0 : line.cents[kind]), 0)
    return [kind, cents / 100] as const
  }).filter(([, euros]) => euros !== 0)
  return {
    courseId: course.courseId,
    entries: entries.length,
    sums: Object.fromEntries(sums),
    sum: lines.reduce((sum, { cents }) => sum + sumCents(cents), 0) / 100,
    undecided: lines.filter(({ outcome }) => outcome === 'undecided').map(({ webUserId }) => webUserId),
  }
}

export const courseTitleOf = (language: Language, course: { number: string; name: string; name2: string }): string =>
  `${nameInLanguage(language, course)} (${course.number})`

/**
 * Notifies people in their language. `values` replace the placeholders in the texts `office.notice.KEY.title` and
 * `.text`.
 */
export async function sendMoneyNotice(
  office: OfficeContext,
  people: number[],
  key: string,
  values: (language: Language) => Record<string, string | number>,
  document?: NonNullable<Notice['document']>,
): Promise<void> {
  const wordsIn = (language: Language) => ({
    title: translate(language, `office.notice.${key}.title`, values(language)),
    paragraphs: translate(language, `office.notice.${key}.text`, values(language)).split('\n\n').filter(Boolean),
  })
  await office.notify(people, {
    words: { de: wordsIn('de'), en: wordsIn('en') },
    path: OWN_COSTS_PATH,
    ...(document && { document }),
  })
}

type NoticeGroup = {
  line: SettlementResult['lines'][number]
  cents: number
  /** amounts that the outcome does not explain */
  others: { kind: (typeof OTHER_KINDS)[number]; cents: number }[]
  people: number[]
}

/** Kinds of entries that the outcome of the attendance does not explain. */
const OTHER_KINDS = ['late-cancellation', 'floor', ...MANUAL_ENTRY_KINDS] as const

/**
 * Notifies people whose amount in a course changed in the settlement of all that they have to pay for it, with their other
 * bookings and manual entries. People with the same result get the same notice.
 */
export async function notifyOfSettlement(
  office: OfficeContext,
  { course, lines, entries }: SettlementResult,
): Promise<void> {
  const changed = new Set(entries.map(({ bookingId }) => bookingId))
  const sums = Map.groupBy(await listEntrySums(office.tx, course.courseId), ({ bookingId }) => bookingId)
  const results = new Map<string, NoticeGroup>()
  for (const [webUserId, own] of Map.groupBy(lines, line => line.webUserId)) {
    const line = own.find(({ outcome }) => outcome !== 'ended') ?? own.at(-1)
    if (line === undefined || !own.some(({ bookingId }) => changed.has(bookingId))) continue
    const amounts = own.flatMap(({ bookingId }) => sums.get(bookingId) ?? [])
    const totalOf = (some: typeof amounts) => some.reduce((sum, one) => sum + one.cents, 0)
    const cents = totalOf(amounts)
    const others = OTHER_KINDS.map(kind => ({ kind, cents: totalOf(amounts.filter(one => one.kind === kind)) }))
    const { outcome, needed, present, excused, counted } = line
    const key = JSON.stringify([outcome, needed, present + excused, counted, cents, others])
    const group = results.get(key) ?? { line, cents, others: others.filter(one => one.cents !== 0), people: [] }
    group.people.push(webUserId)
    results.set(key, group)
  }
  for (const { line, cents, others, people } of results.values()) {
    const { outcome, needed, present, excused, counted } = line
    await sendMoneyNotice(office, people, 'settled', language => ({
      course: courseTitleOf(language, course),
      amount: formatMoney(Math.max(0, cents) / 100),
      why: [
        translate(language, `office.notice.outcome.${outcome}`, { needed, present: present + excused, counted }),
        ...(others.length > 0
          ? [
              translate(language, 'office.notice.settledIncluded', {
                amounts: others
                  .map(one => `${translate(language, `office.entry.${one.kind}`)} ${formatMoney(one.cents / 100)}`)
                  .join(', '),
              }),
            ]
          : []),
      ].join('\n\n'),
    }))
  }
}
