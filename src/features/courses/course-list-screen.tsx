import { type ComponentType, type RefObject, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { retryUntilLoaded, waitForPageLoad } from '#lib/lazy-load.ts'
import { useIsTimeoutPending } from '#lib/use-now.ts'
import { usePrinting } from '#lib/use-printing.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { lazyComponent, lazyComponentAfterFirstRender } from '#ui/lazy-screen.tsx'
import { CourseList } from './components/course-list.tsx'
import { CourseListError, CourseListSkeleton } from './components/list-states.tsx'
import { CourseListToolbar } from './components/list-toolbar.tsx'
import classes from './course-list-screen.module.css'
import { useListView } from './list-view-store.ts'
import { useCourseIndex, useCourseStates } from './resource.ts'
import { ActiveFilters } from './search/active-filters.tsx'
import { CourseSearch } from './search/course-search.tsx'
import { QuickFilters } from './search/quick-filters.tsx'
import type { SearchCriteria } from './search/search-criteria-model.ts'
import { useCourseSearch } from './search/use-course-search.ts'
import { useSearchCriteriaUrl } from './search/use-search-criteria-url.ts'
import { WeekdayFilter } from './search/weekday-filter.tsx'
import { useTableLayout } from './use-table-layout.ts'

/** How long the list waits for the user's bookings on a slow network. */
const PATIENCE_MS = 4_000

/**
 * Loading phase of the course list. Cards are not shown before the user's bookings have arrived, which would change
 * their height later; once shown, cards are never hidden again.
 */
function useListPhase() {
  const phase = useCourseIndex(state => state.phase)
  const isOwnComing = useCourseStates(state => state.phase === 'loading')
  const isKnown = useSession(state => state.phase !== 'checking')
  const isLoggedIn = useSession(state => state.session !== null)
  const isPatient = useIsTimeoutPending(PATIENCE_MS)
  const [hasShown, setHasShown] = useState(false)

  const isWaiting = !isKnown || (isLoggedIn && isOwnComing)
  if (phase === 'ready' && isWaiting && isPatient && !hasShown) return 'loading'
  if (phase === 'ready' && !hasShown) setHasShown(true)
  return phase
}

export { showListViewOf } from './list-view-store.ts'
export { loadSearchModule } from './search/use-read-query.ts'

const { screen: FilterSheet } = lazyComponent(() => import('./search/filter-sheet.tsx').then(m => m.FilterSheet))

const { screen: Corrections } = lazyComponent(() =>
  import('./search/search-corrections.tsx').then(m => m.SearchCorrections),
)

const { screen: NoCoursesFound } = lazyComponent(() =>
  import('./components/no-courses-found.tsx').then(m => m.NoCoursesFound),
)

const { screen: WeekView } = lazyComponent(() => import('./week/week-view.tsx').then(m => m.WeekView))

const CourseTableShortcuts = lazyComponentAfterFirstRender(() =>
  import('./components/course-table-shortcuts.tsx').then(m => m.CourseTableShortcuts),
)

type Printed = typeof import('./components/printed-courses.tsx').PrintedCourses

/**
 * Loads the print version in advance, because printing does not wait for asynchronous work in a `beforeprint` handler.
 */
function usePrinted(): Printed | null {
  const [printed, setPrinted] = useState<Printed | null>(null)
  useEffect(() => {
    waitForPageLoad()
      .then(() => retryUntilLoaded(() => import('./components/printed-courses.tsx')))
      .then(({ PrintedCourses }) => setPrinted(() => PrintedCourses))
  }, [])
  return printed
}

/** New criteria scroll the list to the top; updated availability leaves the scroll position unchanged. */
function useScrollToTop(results: RefObject<HTMLElement | null>, wanted: SearchCriteria): void {
  const shown = useRef(wanted)
  useEffect(() => {
    if (shown.current === wanted) return
    shown.current = wanted
    const top = results.current?.getBoundingClientRect().top ?? 0
    if (top < 0) window.scrollBy(0, top - 8)
  }, [results, wanted])
}

/** Separate component, because it rerenders with every keystroke and the rest of the screen should not. */
function Address() {
  useSearchCriteriaUrl()
  return null
}

type Props = {
  /** button for following the current search; must render `li` elements */
  Follow?: ComponentType
  /** panel that shows a course next to the table */
  Panel?: ComponentType<{ id: number; onClose: () => void }>
}

export function CourseListScreen({ Follow, Panel }: Props) {
  const { t } = useTranslation('courses')
  const phase = useListPhase()
  const asOf = useCourseIndex(state => state.asOf)
  const isStale = useCourseIndex(state => state.isStale)
  const isLoggedIn = useSession(state => state.session !== null)
  const { wanted, options, chosen, hits, counts, search, corrected, past, hasCertified } = useCourseSearch()
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const view = useListView(state => state.view)
  const isPrinting = usePrinting()
  const PrintedCourses = usePrinted()
  const results = useRef<HTMLDivElement>(null)
  const isTable = useTableLayout(results)
  useScrollToTop(results, wanted)
  const [openId, setOpenId] = useState<number | null>(null)
  const close = useCallback(() => setOpenId(null), [])
  const isDayView = view === 'week' && !isTable
  const onOpen = isTable && Panel ? setOpenId : null
  // The courses found before the filter sheet was opened. The list behind the sheet continues to show them, so that it
  // does not rerender with every choice.
  const [hitsBehindSheet, setHitsBehindSheet] = useState(hits)
  const openSheet = () =>
    startTransition(() => {
      setHitsBehindSheet(hits)
      setIsSheetOpen(true)
    })

  if (isPrinting && PrintedCourses && phase === 'ready') {
    return (
      <>
        <Address />
        <h1>{t('list.title')}</h1>
        <AsOfLine asOf={asOf} isStale={isStale} />
        <PrintedCourses courses={hits} />
      </>
    )
  }
  return (
    <>
      <Address />
      <Row gap="l" className={classes.head}>
        <Text as="h1" flush className={classes.title}>
          {t('list.title')}
        </Text>
        <div className={classes.search}>
          <CourseSearch />
        </div>
        <WeekdayFilter counts={phase === 'ready' ? counts : null} isDayView={isDayView} />
      </Row>
      <QuickFilters options={options} hasCertified={hasCertified} isWeek={isTable} onFilter={openSheet} />
      <Stack gap="s" ref={results}>
        <CourseListToolbar
          hits={phase === 'ready' && !isDayView ? hits.length : null}
          hasWords={wanted.text.trim() !== ''}
        >
          <AsOfLine asOf={asOf} isStale={isStale} isBeside />
        </CourseListToolbar>
        <ActiveFilters chosen={chosen}>{Follow && <Follow />}</ActiveFilters>
        <div role="status">{corrected.length > 0 && <Corrections corrected={corrected} />}</div>
        {phase === 'loading' && <CourseListSkeleton />}
        {phase === 'failed' && <CourseListError />}
        {phase === 'ready' && hits.length > 0 && view === 'week' && (
          <WeekView courses={hits} isWeek={isTable} onOpen={onOpen} />
        )}
        {phase === 'ready' && hits.length > 0 && view === 'list' && (
          <CourseList
            courses={isSheetOpen ? hitsBehindSheet : hits}
            isLoggedIn={isLoggedIn}
            isWhole={isPrinting}
            onOpen={onOpen}
          />
        )}
        {phase === 'ready' && hits.length === 0 && <NoCoursesFound search={search} isLoggedIn={isLoggedIn} />}
      </Stack>
      {onOpen && <CourseTableShortcuts openId={openId} onOpen={onOpen} onClose={close} />}
      {Panel && onOpen && openId !== null && <Panel id={openId} onClose={close} />}
      {isSheetOpen && (
        <FilterSheet
          options={options}
          counts={counts}
          chosen={wanted.facets}
          past={past}
          hits={hits.length}
          onClose={() => setIsSheetOpen(false)}
        />
      )}
    </>
  )
}
