import { useTranslation } from 'react-i18next'
import type { ItemOf } from '#contract/endpoint.ts'
import type { listTimeline } from '#contract/office/people.ts'
import { formatMoney } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { useScreenResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useGrowingList } from '#office/frame/components/growing-list.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { Box, Stack, Text } from '#ui/layout.tsx'
import { formatDateTime } from '../people-model.ts'

type Entry = ItemOf<typeof listTimeline>

/** Number of entries shown initially, and added as the user scrolls. */
const STEP = 15
const PAGE_SIZE = '500'

async function fetchTimeline(id: number, signal: AbortSignal, show: (entries: Entry[]) => void): Promise<Entry[]> {
  let entries: Entry[] = []
  let after: string | null = null
  for (;;) {
    const query: { limit: string; after?: string } = { limit: PAGE_SIZE, ...(after !== null && { after }) }
    const page: { items: Entry[]; next: string | null } = await api.listTimeline({ params: { id }, query, signal })
    entries = [...entries, ...page.items]
    after = page.next
    if (after === null) return entries
    show(entries)
  }
}

/** What happened to a person: acts, calls, e-mails, letters, messages, bookings and amounts, newest first. */
export function PersonTimeline({ webUserId }: { webUserId: number }) {
  const { t } = useTranslation('office-people')
  const reading = useScreenResource<Entry[]>(`listTimeline ${webUserId}`, ({ signal, show }) =>
    fetchTimeline(webUserId, signal, show),
  )
  const [shown, more] = useGrowingList(reading.data ?? [], STEP)
  if (reading.data === null) return <LoadingState reading={reading} />
  if (reading.data.length === 0)
    return (
      <Text tone="muted" flush>
        {t('timeline.none')}
      </Text>
    )
  return (
    <>
      <Box as="ol" bare divided aria-labelledby="timeline">
        {shown.map(entry => (
          <TimelineEntry key={entry.key} entry={entry} />
        ))}
      </Box>
      {more}
    </>
  )
}

function TimelineEntry({ entry }: { entry: Entry }) {
  const { t } = useTranslation(['office-people', 'office', 'office-money'])
  const language = useLanguage()
  const { at, kind, event, by, text, courseId, amount, isDone } = entry
  const course = language === 'de' ? entry.course : entry.course2
  const title = {
    act: () => t(`office:kind.${event}`, { defaultValue: event }),
    mail: () => t(isDone ? 'timeline.mail' : 'timeline.mailWaits'),
    letter: () => t(isDone ? 'timeline.letter' : 'timeline.letterToPrint'),
    message: () => t(isDone ? 'timeline.messageRead' : 'timeline.message'),
    booking: () => t(`timeline.booking.${event}`),
    money: () => t(`office-money:entry.${event}`),
  }[kind]()
  return (
    <Stack as="li" gap="xs" py="s">
      <Text flush>
        <b>{title}</b>
        {amount !== null && ` ${formatMoney(amount)}`}
        {text && `: ${text}`}
      </Text>
      <Text size="s" tone="muted" flush>
        {[formatDateTime(at), by].filter(Boolean).join(' · ')}
        {courseId !== null && course && (
          <>
            {' · '}
            <RecordLink kind="courses" id={courseId}>
              {course}
            </RecordLink>
          </>
        )}
      </Text>
    </Stack>
  )
}
