import { createHash } from 'node:crypto'
import type { Act } from '#contract/acts/acts.ts'
import type { ActAnswer } from '#contract/office.ts'

const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, canonical(inner)]),
        )
      : value
/** Hash of an act's content, independent of the order of its fields. */
export const fingerprintOf = ({ preview, ...act }: Act) =>
  createHash('sha256')
    .update(JSON.stringify(canonical(act)))
    .digest()

/**
 * Acts that commit one transaction for each of their objects: settling, for each course. The id of a part is derived from the whole
 * act, so that sending an interrupted act again performs only its missing parts.
 */
export function partsOf(act: Act): Act[] {
  if (act.kind !== 'settle-courses') return [act]
  const ids = [...new Set(act.courseIds)].sort((a, b) => a - b)
  if (ids.length < 2) return [act]
  return ids.map((id, index) => {
    const digest = createHash('sha256').update(fingerprintOf(act)).update(`${id}`).digest('hex')
    const actId = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
    // The version is that of the first course.
    return { ...act, actId, courseIds: [id], version: index === 0 ? act.version : undefined }
  })
}

const listOf = (answers: readonly ActAnswer[], key: string): unknown[] =>
  answers.flatMap(({ result }) => (Array.isArray(result[key]) ? result[key] : []))
/** What a later part says of a person replaces what an earlier one did. */
const latestOfPeople = (rows: unknown[]): unknown[] => {
  const personOf = (row: unknown) => Object(row).webUserId
  return [...new Map(rows.map(row => [personOf(row), row])).values()]
}
const uniqueById = <Row extends { id: number }>(rows: Row[]): Row[] => [
  ...new Map(rows.map(row => [row.id, row])).values(),
]

/** The answer to an act of several parts; one part is answered as it is. */
export function mergeAnswers(answers: readonly ActAnswer[]): ActAnswer {
  const [first, ...others] = answers
  const last = answers.at(-1)
  if (first === undefined || last === undefined) throw new Error('an act without parts has no answer')
  if (others.length === 0) return first
  const all = answers.map(({ consequences }) => consequences)
  const sum = (key: 'mails' | 'letters' | 'messages' | 'pushes') => all.reduce((total, one) => total + one[key], 0)
  return {
    ...last,
    version: first.version,
    result: {
      courses: listOf(answers, 'courses'),
      undecided: latestOfPeople(listOf(answers, 'undecided')),
      held: latestOfPeople(listOf(answers, 'held')),
    },
    consequences: {
      mails: sum('mails'),
      letters: sum('letters'),
      messages: sum('messages'),
      pushes: sum('pushes'),
      booked: uniqueById(all.flatMap(({ booked }) => booked)),
      ended: uniqueById(all.flatMap(({ ended }) => ended)),
      promoted: uniqueById(all.flatMap(({ promoted }) => promoted)),
      told: uniqueById(all.flatMap(({ told }) => told)),
      call: uniqueById(all.flatMap(({ call }) => call)),
      clashes: all.flatMap(({ clashes }) => clashes),
    },
  }
}
