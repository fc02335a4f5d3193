import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LessonPlace } from '#contract/endpoints/courses.ts'
import { formatDayMonth, formatTime, nameInLanguage } from '#contract/words.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { toLocalTimeMs, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Card, Row, Text } from '#ui/layout.tsx'
import { useLessonPlaces } from '../resource.ts'
import { changeLessonPlace } from '../sync.ts'

/** How long a lesson of which the user is a guest stays visible after its start, in ms. */
const STAYS_MS = 2 * 3_600_000

/**
 * Lessons of which the user is a guest, and places of single lessons that the user may take; nothing if there are none.
 * @param courseId restricts them to this course
 */
export function LessonPlaces({ courseId }: { courseId?: number }) {
  const places = useLessonPlaces(state => state.data)
  const isStarted = useSession(state => state.phase === 'started')
  const now = useLocalTimeMs()
  useEffect(() => {
    if (!isStarted) return
    useLessonPlaces.load()
    if (useCourseIndex.getState().phase === 'loading') useCourseIndex.load()
  }, [isStarted])
  return places
    .filter(place => courseId === undefined || place.id === courseId)
    .filter(({ at, isMine }) => toLocalTimeMs(at) + (isMine ? STAYS_MS : 0) > now)
    .map(place => <PlaceCard key={`${place.id} ${toLocalTimeMs(place.at)}`} place={place} />)
}

function PlaceCard({ place }: { place: LessonPlace }) {
  const { t } = useTranslation(['own-bookings', 'courses'])
  const language = useLanguage()
  const course = useCourseIndex(state => state.data.find(({ id }) => id === place.id))
  const now = useLocalTimeMs()
  const [isSending, setIsSending] = useState(false)
  const { at, isMine } = place
  const send = async () => {
    if (isSending) return
    setIsSending(true)
    await changeLessonPlace(place, !isMine)
    setIsSending(false)
  }
  const values = {
    course: course ? nameInLanguage(language, course) : '',
    day: t(`courses:day.short.${weekdayOf(at)}`),
    date: formatDayMonth(at),
    time: formatTime(at),
  }
  return (
    <Card as="section" flush role="status" aria-label={t(isMine ? 'place.mine' : 'place.free')}>
      <Text weight="semibold" flush>
        {t(isMine ? 'place.mine' : 'place.free')}
      </Text>
      <Text flush>{t('place.lesson', values)}</Text>
      <Text size="s" tone="muted" flush>
        {t(isMine ? 'place.mineText' : 'place.freeText')}
      </Text>
      {toLocalTimeMs(at) > now && (
        <Row py="s">
          <Button look={isMine ? 'text' : 'primary'} aria-disabled={isSending} onClick={send}>
            {t(isMine ? 'place.return' : 'place.take')}
          </Button>
        </Row>
      )}
    </Card>
  )
}
