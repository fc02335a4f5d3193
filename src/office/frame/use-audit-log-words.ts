import { useTranslation } from 'react-i18next'
import { FIELD_LABELS } from '#contract/office/programme.ts'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { formatMoney } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { formatWallClockTime } from './model.ts'

/** Texts of the values of a field with a fixed set of values, by field. */
const VALUE_TEXTS: Record<string, string> = {
  state: 'record.state',
  bookingStatus: 'record.bookingStatus',
  charge: 'record.charge',
  kind: 'record.batchKind',
  how: 'record.how',
  what: 'record.what',
  right: 'right',
  rights: 'right',
  scopes: 'connections.scopes',
  kinds: 'connections.kind',
  to: 'office-people:message.kind',
  page: 'office-content:pages',
  entryKind: 'office-money:entry',
}

type Change = { key: string; label: string; before: string; after: string }
type Values = Record<string, unknown>

const NOTHING = '–'
const valuesIn = (value: unknown): Values => (typeof value === 'object' && value !== null ? { ...value } : {})

/** Returns functions that put the fields and values of an audit log entry into words. */
export function useAuditLogWords() {
  const { t } = useTranslation(['office', 'office-people', 'office-content', 'office-money'])
  const language = useLanguage()
  const labels: Record<string, string> = { ...FIELD_LABELS[language], ...PROFILE_FIELD_LABELS[language] }
  const labelOf = (key: string): string => {
    // Entries of several lessons or courses contain the changes by id.
    if (/^\d+$/.test(key)) return t('record.numbered', { id: key })
    return labels[key] ?? t([`record.field.${key}`, `record.object.${key}`], { defaultValue: key })
  }
  const textOf = (key: string, text: string): string => {
    if (text === '') return NOTHING
    if (/^(?:true|false)$/.test(text)) return t(text === 'true' ? 'record.yes' : 'record.no')
    if (/cents$/i.test(key)) return formatMoney(Number(text) / 100)
    if (/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(text)) return formatWallClockTime(text, language)
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return text.split('-').reverse().join('.')
    if (/^\d\d:\d\d:00$/.test(text)) return text.slice(0, 5)
    return VALUE_TEXTS[key] ? t(`${VALUE_TEXTS[key]}.${text}`, { defaultValue: text }) : text
  }
  const formatValue = (key: string, value: unknown): string => {
    if (Array.isArray(value)) {
      const wordOf = (one: unknown) =>
        key === 'fields' ? t(`record.column.${one}`, { defaultValue: labelOf(String(one)) }) : formatValue(key, one)
      return value.map(wordOf).join(', ') || NOTHING
    }
    if (typeof value !== 'object' || value === null) return textOf(key, String(value ?? ''))
    const parts = Object.entries(value).filter(([, one]) => one !== 0)
    return parts.map(([name, one]) => `${labelOf(name)}: ${formatValue(name, one)}`).join(', ') || NOTHING
  }
  /** Lists the fields that an action changed, with their old and new values. */
  const changesOf = ({ line, names }: { line: Values; names: Record<string, string> }): Change[] => {
    const [before, after] = [valuesIn(line.before), valuesIn(line.after)]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .map(key => ({
        key,
        label: names[key] ?? labelOf(key),
        before: formatValue(key, before[key]),
        after: formatValue(key, after[key]),
      }))
      .filter(change => change.before !== change.after)
  }
  return { formatValue, changesOf }
}
