import { useTranslation } from 'react-i18next'
import { formatDayMonth, formatTime, textInLanguage } from '#contract/words.ts'
import { portalDateTimeAt } from '#lib/format.ts'
import { showError } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/layout.tsx'
import type { UnreadableRecord } from '../outbox/records.ts'
import { outbox } from '../store.ts'

function whenOf(ms: number): string {
  const value = portalDateTimeAt(ms)
  return `${formatDayMonth(value)}, ${formatTime(value)}`
}

/** Shows how many attendance changes on this device are lost or unreadable, and lists their dates and courses. */
export function UnreadableEntries({ kind, items }: { kind: 'lost' | 'shelved'; items: UnreadableRecord[] }) {
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  const wordsOf = ({ about, courseId, doneAt }: UnreadableRecord) => {
    const course = about
      ? textInLanguage(language, about.name, about.name2)
      : t(courseId === null ? 'shelf.noCourse' : 'instructor.elsewhere', { id: courseId })
    return doneAt === null ? course : t('shelf.item', { course, when: whenOf(doneAt) })
  }
  // Changes with the same text, such as those of one bulk change, are listed once.
  const lines = [...new Set(items.map(wordsOf))]
  const putAway = async () => {
    try {
      for (const item of items) await outbox.discard(item)
    } catch {
      // The storage does not respond, so the entry remains.
      showError(t('shelf.failed'))
    }
  }
  return (
    <Card as="div" status="error">
      <p>
        <b>{t(`shelf.${kind}`, { count: items.length })}</b>
      </p>
      <ul>
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Button look="ghost" onClick={putAway}>
        {t('shelf.putAway')}
      </Button>
    </Card>
  )
}
