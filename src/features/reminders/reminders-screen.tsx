import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import {
  DEFAULT_LESSON_PLACES,
  type FollowedItem,
  REMINDERS,
  type ReminderKind,
  type Reminders,
} from '#contract/endpoints/reminders.ts'
import { nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { Box, CheckLabel, Row, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { CalendarFeed } from './components/calendar-feed.tsx'
import { FollowButton } from './components/follow-button.tsx'
import { refreshPushState, subscribeToPush, unsubscribeFromPush, usePushState } from './push-store.ts'
import { useFollowSubscriptions } from './resource.ts'
import { useNotificationPreferences } from './use-notification-preferences.ts'

const WAYS = ['mail', 'push'] as const

const waysOf = (reminders: Reminders, kind: ReminderKind) => reminders[kind] ?? DEFAULT_LESSON_PLACES

/** Notification preferences by topic and channel. Every change is saved immediately. */
function ReminderChoice() {
  const { t } = useTranslation('reminders')
  const { reminders, save, error, reload } = useNotificationPreferences()

  const toggle = (before: Reminders, kind: ReminderKind, way: (typeof WAYS)[number]) =>
    save(current => ({ ...current, [kind]: { ...waysOf(current, kind), [way]: !waysOf(before, kind)[way] } }))
  if (error) {
    return <ErrorState title={t('choice.failed')} text={errorMessageOf(error, t('noAnswer'))} onRetry={reload} />
  }
  return (
    <Box as="ul" divided>
      {REMINDERS.map(kind => (
        <li key={kind}>
          <Row as="fieldset" gap="l" bare py="s" disabled={!reminders}>
            <Text as="legend" legend weight="semibold">
              {t(`choice.${kind}`)}
            </Text>
            {WAYS.map(way => (
              <CheckLabel key={way}>
                <input
                  type="checkbox"
                  checked={reminders ? waysOf(reminders, kind)[way] : false}
                  onChange={() => reminders && toggle(reminders, kind, way)}
                />
                {t(`choice.${way}`)}
              </CheckLabel>
            ))}
          </Row>
        </li>
      ))}
    </Box>
  )
}

/** Switch for web push in this browser. Asks for permission only when tapped. */
function PushSwitch() {
  const { t } = useTranslation('reminders')
  const state = usePushState(push => push.state)
  useEffect(() => {
    refreshPushState()
  }, [])
  const change = async (act: () => Promise<void>) => {
    try {
      await withProgress(act())
    } catch (error) {
      showError(errorMessageOf(error, t('push.failed')))
    }
  }
  const canChange = state === 'on' || state === 'off'
  return (
    <>
      <Text tone="muted" flush role="status">
        {state === 'asking' ? '\u00a0' : t(`push.${state}`)}
      </Text>
      {(canChange || state === 'asking') && (
        <Button
          className={styles({ align: 'start' })}
          disabled={!canChange}
          onClick={() => change(state === 'on' ? unsubscribeFromPush : subscribeToPush)}
        >
          {t(state === 'on' ? 'push.stop' : 'push.start')}
        </Button>
      )}
    </>
  )
}

const PARTS = { feed: CalendarFeed, choice: ReminderChoice, push: PushSwitch, follow: FollowList }

/** Notification settings: calendar, reminders, push notifications on this device, and followed items. */
export function RemindersScreen() {
  const { t } = useTranslation('reminders')
  const isStarted = useSession(state => state.phase === 'started')
  return (
    <>
      <ScreenHeader title={t('title')} lead={t('lead')} />
      {isStarted &&
        Object.entries(PARTS).map(([part, Part]) => (
          <Stack as="section" key={part} flush width="narrow" mb="xl" aria-labelledby={`reach-${part}`}>
            <h2 id={`reach-${part}`}>{t(`${part}.title`)}</h2>
            <Text tone="muted" flush>
              {t(`${part}.text`)}
            </Text>
            <Part />
          </Stack>
        ))}
    </>
  )
}

type Language = ReturnType<typeof useLanguage>
type Courses = ReturnType<typeof useCourseIndex.getState>['data']

function nameOf({ kind, id }: FollowedItem, courses: Courses, language: Language): string {
  if (kind === 'course') {
    const course = courses.find(other => other.id === id)
    return course ? nameInLanguage(language, course) : ''
  }
  const one = courses.find(course => (kind === 'category' ? course.courseCategoryId : course.seasonId) === id)
  if (!one) return ''
  return kind === 'category'
    ? textInLanguage(language, one.courseCategory, one.courseCategory2)
    : textInLanguage(language, one.season, one.season2)
}

function FollowList() {
  const { t } = useTranslation('reminders')
  const language = useLanguage()
  const follows = useFollowSubscriptions(state => state.data)
  const courses = useCourseIndex(state => state.data)
  useEffect(() => {
    useFollowSubscriptions.load()
    if (useCourseIndex.getState().phase === 'loading') useCourseIndex.load()
  }, [])
  const coming = [...new Set(courses.filter(({ seasonBookable }) => !seasonBookable).map(({ seasonId }) => seasonId))]
    .map((id): FollowedItem => ({ kind: 'season', id }))
    .filter(({ id }) => !follows.some(follow => follow.kind === 'season' && follow.id === id))
  const shown = [...follows, ...coming]
  if (shown.length === 0)
    return (
      <Text tone="muted" flush>
        {t('follow.none')}
      </Text>
    )
  return (
    <Box as="ul" divided>
      {shown.map(follow => {
        const name = nameOf(follow, courses, language)
        return (
          <Row as="li" key={`${follow.kind} ${follow.id}`} justify="between" py="s">
            <span>{name}</span>
            <FollowButton {...follow} name={name} />
          </Row>
        )
      })}
    </Box>
  )
}
