import {
  DATA_KINDS,
  type DataKind,
  type DataKindName,
  RETENTION_LIMITS,
  type RetentionLimit,
} from '#contract/tables/data-map.ts'
import { DEVICE_DATA_KINDS } from '#contract/tables/device-map.ts'

export type Translate = (key: string, values?: Record<string, string | number>) => string

/** Privacy information about one kind of data: content, purpose, recipients, retention and legal basis. */
export type PrivacyDataRow = { name: string; what: string; why: string; facts: [label: string, value: string][] }

const periodOf = (ending: RetentionLimit, say: Translate): string => {
  const period = RETENTION_LIMITS[ending]
  return period ? say(`data.period.${period.unit}`, { count: period.count }) : ''
}
const endingsOf = (until: readonly RetentionLimit[], say: Translate) =>
  until.map(ending => say(`data.ending.${ending}`, { period: periodOf(ending, say) })).join('; ')

const lawOf = ({ article6, article9 }: DataKind, say: Translate) =>
  [article6 && say('data.article6', { letter: article6 }), article9 && say('data.article9', { letter: article9 })]
    .filter(part => part)
    .join(', ')

const personalKinds = () => Object.entries<DataKind>(DATA_KINDS).filter(([, { article6 }]) => article6 !== null)
const viewersOf = ({ seenBy }: DataKind, say: Translate) =>
  seenBy.map(viewer => say(`data.viewer.${viewer}`)).join(', ')

export const serverDataRows = (say: Translate): PrivacyDataRow[] =>
  personalKinds().map(([name, kind]) => ({
    name,
    what: say(`data.server.${name}.what`),
    why: say(`data.server.${name}.why`),
    facts: [
      [say('data.seenBy'), viewersOf(kind, say)],
      [say('data.until'), endingsOf(kind.until, say)],
      [say('data.law'), lawOf(kind, say)],
    ],
  }))

export const deviceDataRows = (say: Translate): PrivacyDataRow[] =>
  Object.entries(DEVICE_DATA_KINDS).map(([name, { until }]) => ({
    name,
    what: say(`data.device.${name}.what`),
    why: say(`data.device.${name}.why`),
    facts: [[say('data.until'), endingsOf(until, say)]],
  }))

/** Rows of the record of processing activities: those of the privacy notice, with the people concerned. */
export const processingRows = (say: Translate, record: Translate): PrivacyDataRow[] =>
  serverDataRows(say).map(row => {
    const { whose } = DATA_KINDS[row.name as DataKindName]
    return { ...row, facts: [[record('concerned'), record(`subject.${whose}`)], ...row.facts] }
  })

/** Lines on what superiors, who have no right of their own, can see: what everyone sees, and what they cannot. */
export function superiorsLines(say: Translate): { visible: string[]; hidden: string[] } {
  const visible: string[] = []
  const hidden: string[] = []
  for (const [name, kind] of personalKinds()) {
    const what = say(`data.server.${name}.what`)
    if (kind.seenBy.includes('everyone')) visible.push(`- ${what}`)
    else hidden.push(`- ${what} (${viewersOf(kind, say)})`)
  }
  return { visible, hidden }
}
