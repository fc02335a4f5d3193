import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { InboxItem } from '#contract/endpoints/inbox.ts'
import { formatDate, nameInLanguage } from '#contract/words.ts'
import { markCancellationSeen, useCancelledCourses } from '#features/bookings/resource.ts'
import { useCourses } from '#features/courses/resource.ts'
import { ApiError } from '#lib/api-error.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { Button } from '#ui/button.tsx'
import { CleanHtml } from '#ui/clean-html.tsx'
import { IconBellFilled, IconDownload } from '#ui/icons.ts'
import { Card, Row, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { mentionedCoursesOf } from './model.ts'
import { fetchMessageDocument, useMessages } from './resource.ts'

/** The inbox, newest message first. When offline, shows the messages of the last visit. */
export function MessagesScreen() {
  const { t } = useTranslation('inbox')
  const { data: messages, phase, asOf, isStale } = useMessages()
  useEffect(() => {
    useMessages.load()
    useCancelledCourses.load()
    // A request marks the messages as read, which nobody reads on another screen.
    return useMessages.stopRefetching
  }, [])
  return (
    <>
      <ScreenHeader title={t('title')} lead={t('lead')} />
      <AsOfLine asOf={asOf} isStale={isStale} />
      {phase === 'loading' && <Skeleton rows={3} height={150} />}
      {phase === 'failed' && <ErrorState title={t('failed')} text={t('failedText')} onRetry={useMessages.load} />}
      {phase === 'ready' && messages.length === 0 && <EmptyState title={t('empty')} text={t('emptyText')} />}
      {messages.length > 0 && (
        <Stack as="ul" gap="l" width="narrow">
          {messages.map(message => (
            <li key={message.id}>
              <InboxMessage message={message} />
            </li>
          ))}
        </Stack>
      )}
    </>
  )
}

function InboxMessage({ message }: { message: InboxItem }) {
  const { t } = useTranslation('inbox')
  const { id, created, title, text, documentName, seen } = message
  const language = useLanguage()
  const programme = useCourses()
  const cancelled = useCancelledCourses(state => state.data)
  const courses = useMemo(
    () => mentionedCoursesOf(message, [...cancelled, ...programme]),
    [message, cancelled, programme],
  )
  // Who reads here that a course is cancelled need not read it on the start page again.
  const readId = cancelled.find(course => !course.isSeen && course === courses[0])?.id
  useEffect(() => {
    if (readId !== undefined) markCancellationSeen(readId)
  }, [readId])

  const download = async () => {
    try {
      saveFile(await fetchMessageDocument(id), documentName)
    } catch (error) {
      if (!(error instanceof ApiError)) showError(t('needsNetwork'))
      // An expired session and missing permissions are reported elsewhere.
      else if (error.status !== 401 && error.status !== 403) showError(error.message)
    }
  }
  return (
    <Card as="article" gap="s" flush layout="stack" status={seen ? undefined : 'pending'}>
      <Row as="p" justify="between" tone="muted">
        <time>{formatDate(created)}</time>
        {!seen && (
          <Row as="span" tone="bad">
            <IconBellFilled size={20} />
            {t('unseen')}
          </Row>
        )}
      </Row>
      <Text as="h2" variant="heading">
        {title}
      </Text>
      <CleanHtml html={text} />
      {courses.length > 0 && (
        <ul aria-label={t('courses')}>
          {courses.map(course => (
            <li key={course.id}>
              <Link className={styles({ base: 'actionLink' })} href={`/course-details/${course.id}`}>
                {nameInLanguage(language, course)} <span aria-hidden>›</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {documentName && (
        <Button look="ghost" className={styles({ align: 'start' })} onClick={download}>
          <IconDownload size={22} />
          <Text as="span" grow>
            <span className="visually-hidden">{t('download')}: </span>
            {documentName}
          </Text>
        </Button>
      )}
    </Card>
  )
}
