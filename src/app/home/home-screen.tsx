import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebContentItem } from '#contract/endpoints/content.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { ContentCard } from '#features/content/components/content-card.tsx'
import { itemsOfType } from '#features/content/model.ts'
import { useContent } from '#features/content/resource.ts'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'
import { isCourseOver } from '#features/courses/model.ts'
import { useCourseIndex, useSeasons } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { branding } from '#lib/branding.ts'
import { readSessionToken } from '#lib/session-token.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { ActionLink, Box, Columns, Stack } from '#ui/layout.tsx'
import { lazyComponentAfterFirstRender } from '#ui/lazy-screen.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import { TallSkeleton } from '#ui/skeleton.tsx'
import { CategoryTiles } from './category-tiles.tsx'
import classes from './home-screen.module.css'
import { lazyPlan } from './lazy-plan.ts'
import { NextCourses } from './next-courses.tsx'
import { SeasonOpening } from './season-opening.tsx'
import { WeekdayLinks } from './weekday-links.tsx'

const UnsentCard = lazyComponentAfterFirstRender(() =>
  import('#features/attendance/components/unsent-card.tsx').then(m => m.UnsentChangesCard),
)
const FittingCourses = lazyComponentAfterFirstRender(() => import('./fitting-courses.tsx').then(m => m.FittingCourses))
const Carousel = lazyComponentAfterFirstRender(
  () => import('#features/content/components/carousel.tsx').then(m => m.Carousel),
  <div className={classes.placeholder} aria-hidden />,
)

/** If a token is stored, waits for the session: showing the visitor's page first would cause a layout shift. */
const useIsExpected = () => useSession(state => state.phase === 'checking') && readSessionToken() !== null

function Welcome() {
  const { t } = useTranslation('content')
  const language = useLanguage()
  const name = useSession(state => state.session?.givenName)
  const isExpected = useIsExpected()
  return (
    <ScreenHeader
      title={name ? t('home.greeting', { name }) : t('home.title')}
      lead={
        name || isExpected
          ? null
          : t('home.welcome', { portal: branding.portalName, department: branding.department[language] })
      }
    >
      <Box hideEmpty mt="l">
        <UnsentCard />
      </Box>
      <CourseFinder />
      <WeekdayLinks />
    </ScreenHeader>
  )
}

/** Start page: the personal plan for logged-in users, courses for visitors, and below that the department's news. */
export function HomeScreen() {
  const session = useSession(state => state.session)
  const isExpected = useIsExpected()
  const hasCourses = useCourseIndex(state => state.phase !== 'loading')
  const Plan = lazyPlan.screen
  return (
    <Stack gap="xl" className={classes.screen}>
      <Welcome />
      {/* Rendered once everything above is complete, to prevent layout shift. */}
      {session ? (
        <Suspense fallback={<TallSkeleton />}>
          <Plan />
          <OwnHome />
        </Suspense>
      ) : hasCourses && !isExpected ? (
        <>
          <NextCourses />
          <News />
        </>
      ) : (
        <TallSkeleton />
      )}
    </Stack>
  )
}

/**
 * Content below the plan. Without booked courses, it is the same as for visitors; otherwise it starts with courses that
 * fit the user's own, and the rest is shown on request.
 */
function OwnHome() {
  const { t } = useTranslation('plan')
  const todayMs = useToday()
  const [isOpen, setIsOpen] = useState(false)
  const hasNothing = useBookedCourses(
    ({ phase, data }) => phase === 'ready' && data.every(own => isCourseOver(own, todayMs)),
  )
  const hasCourses = useCourseIndex(state => state.phase === 'ready')
  if (hasNothing) {
    return (
      <>
        {hasCourses && <NextCourses />}
        <News />
      </>
    )
  }
  return (
    <>
      <FittingCourses />
      <SeasonOpening />
      <details onToggle={event => setIsOpen(event.currentTarget.open)}>
        <ActionLink as="summary">
          {t('plan:discover')} <IconChevronDown size={20} />
        </ActionLink>
        {isOpen && (
          <Stack gap="xl">
            <News hasOpening={false} />
          </Stack>
        )}
      </details>
    </>
  )
}

function News({ hasOpening = true }: { hasOpening?: boolean }) {
  const items = useContent(state => state.data.items)
  const phase = useContent(state => state.phase)
  const isIndexKnown = useCourseIndex(state => state.phase !== 'loading')
  const isProgrammeKnown = useSeasons(state => state.phase !== 'loading') && isIndexKnown
  return phase === 'loading' || !isProgrammeKnown ? <Box fullHeight /> : <Below items={items} hasOpening={hasOpening} />
}

function Below({ items, hasOpening }: { items: readonly WebContentItem[]; hasOpening: boolean }) {
  const { t } = useTranslation('content')
  const top = itemsOfType(items, 'HomeTop')
  const bottom = itemsOfType(items, 'HomeButtom')
  const slides = itemsOfType(items, 'HomeCarrousel')
  return (
    <>
      <Columns gap="xl" className={classes.stage}>
        {hasOpening && <SeasonOpening />}
        {slides.length > 0 && <Carousel items={slides} />}
      </Columns>
      {top.length > 0 && (
        <section aria-label={t('home.news')}>
          <Cards items={top} isStrip />
        </section>
      )}
      <CategoryTiles />
      {bottom.length > 0 && (
        <section>
          <h2>{t('home.more')}</h2>
          <Cards items={bottom} />
        </section>
      )}
    </>
  )
}

/** @param isStrip shows the cards as a horizontally scrolling strip on phones */
const Cards = ({ items, isStrip = false }: { items: readonly WebContentItem[]; isStrip?: boolean }) => (
  <Columns as="ul" className={`${classes.items} ${isStrip ? classes.strip : ''}`}>
    {items.map(item => (
      <li key={item.pictureFileName + item.text1}>
        <ContentCard item={item} />
      </li>
    ))}
  </Columns>
)
