import { useTranslation } from 'react-i18next'
import { FIELD_LABELS } from '#contract/office-programme.ts'
import { FIELD_NAMES } from '#contract/person.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Text } from '#ui/layout.tsx'

type Line = { line: Record<string, unknown> }
type Change = { key: string; label: string; before: string; after: string }

const valuesOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Returns a function that lists the old and new values in an audit log entry, with the labels of the fields. */
export function useRecordChanges(): (line: Line) => Change[] {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const labels: Record<string, string> = { ...FIELD_LABELS[language], ...FIELD_NAMES[language] }
  const say = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–'
    if (/^(?:true|false)$/.test(String(value))) return t(String(value) === 'true' ? 'record.yes' : 'record.no')
    if (Array.isArray(value)) return value.map(one => labels[String(one)] ?? say(one)).join(', ')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return ({ line }) => {
    const [before, after] = [valuesOf(line.before), valuesOf(line.after)]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter(key => say(before[key]) !== say(after[key]))
      .map(key => ({
        key,
        label: labels[key] ?? t([`record.field.${key}`, `record.object.${key}`, key]),
        before: say(before[key]),
        after: say(after[key]),
      }))
  }
}

/** Shortens hashes to their beginning; the export contains them in full. */
const shorten = (text: string) => (/^[\da-f]{64}$/.test(text) ? `${text.slice(0, 12)}…` : text)

export function RecordChanges({ line }: { line: Line }) {
  const changes = useRecordChanges()(line)
  return (
    <ul>
      {changes.map(({ key, label, before, after }) => (
        <li key={key}>
          <Text as="span" tone="muted">
            {label}:
          </Text>{' '}
          {shorten(before)} → {shorten(after)}
        </li>
      ))}
    </ul>
  )
}
