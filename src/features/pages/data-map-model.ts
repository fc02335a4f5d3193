import { DATA_KINDS, type DataKind, RETENTION_LIMITS, type RetentionLimit } from '#contract/tables/data-map.ts'
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

export const serverDataRows = (say: Translate): PrivacyDataRow[] =>
  Object.entries<DataKind>(DATA_KINDS)
    .filter(([, { article6 }]) => article6 !== null)
    .map(([name, kind]) => ({
      name,
      what: say(`data.server.${name}.what`),
      why: say(`data.server.${name}.why`),
      facts: [
        [say('data.seenBy'), kind.seenBy.map(viewer => say(`data.viewer.${viewer}`)).join(', ')],
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
