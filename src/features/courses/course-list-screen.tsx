import { type ComponentType, startTransition, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AsOfLine } from '#components/as-of-line.tsx'
import { late, lazyPart } from '#components/lazy-screen.tsx'
import { piece } from '#components/pieces.ts'
import { useSession } from '#features/session/store.ts'
import { pageLoaded, retryUntilLoaded } from '#lib/lazy-load.ts'
import { ActiveFilters } from './components/active-filters.tsx'
import { CourseList } from './components/course-list.tsx'
import { CourseSearch } from './components/course-search.tsx'
import { Corrections, ListEmpty, ListFailed, ListSkeleton } from './components/list-states.tsx'
import { ListToolbar } from './components/list-toolbar.tsx'
import { QuickFilters } from './components/quick-filters.tsx'
import { WeekStrip } from './components/week-strip.tsx'
import classes from './course-list-screen.module.css'
import { useCourseIndex } from './resource.ts'
import { useCourseSearch } from './use-course-search.ts'
import { useListPhase } from './use-list-phase.ts'
import { usePrinting } from './use-printing.ts'
import { useSearchCriteriaUrl } from './use-search-criteria-url.ts'
import { useWideWindow } from './use-wide-window.ts'

export { loadSearchModule } from './use-read-query.ts'

const { screen: FilterSheet } = lazyPart(() => import('./components/filter-sheet.tsx').then(m => m.FilterSheet))

const WeekGrid = late(() => import('./components/week-grid.tsx').then(m => m.WeekGrid))

type Printed = typeof import('./components/printed-courses.tsx').PrintedCourses

/** Prepares the print version in advance: `beforeprint` does not wait for asynchronous rendering. */
function usePrinted(): Printed | null {
  const [printed, setPrinted] = useState<Printed | null>(null)
  useEffect(() => {
    pageLoaded()
      .then(() => retryUntilLoaded(() => import('./components/printed-courses.tsx')))
      .then(({ PrintedCourses }) => setPrinted(() => PrintedCourses))
  }, [])
  return printed
}

/** Separate component: it re-renders with every keystroke, without the rest of the screen. */
function Address() {
  useSearchCriteriaUrl()
  return null
}

/** @param Follow button that follows the current search; renders `li` elements */
export function CourseListScreen({ Follow }: { Follow?: ComponentType }) {
  const { t } = useTranslation('courses')
  const phase = useListPhase()
  const asOf = useCourseIndex(state => state.asOf)
  const isStale = useCourseIndex(state => state.isStale)
  const isLoggedIn = useSession(state => state.session !== null)
  const { wanted, options, chosen, hits, counts, waysOut, near, corrected, past } = useCourseSearch()
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const [view, setView] = useState<'list' | 'week'>('list')
  const isWide = useWideWindow()
  const isPrinting = usePrinting()
  const PrintedCourses = usePrinted()
  const results = useRef<HTMLDivElement>(null)
  const shown = useRef(wanted)
  // The list behind the open filter sheet is not re-rendered with every choice.
  const [hitsBehindSheet, setHitsBehindSheet] = useState(hits)
  const openSheet = () =>
    startTransition(() => {
      setHitsBehindSheet(hits)
      setIsSheetOpen(true)
    })

  // New criteria scroll to the top; updated availability does not change the scroll position.
  useEffect(() => {
    if (shown.current === wanted) return
    shown.current = wanted
    const top = results.current?.getBoundingClientRect().top ?? 0
    if (top < 0) window.scrollBy(0, top - 8)
  }, [wanted])

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
      <div className={`${piece('row', 'loose')} ${classes.head}`}>
        <h1 className={`${piece('flush')} ${classes.title}`}>{t('list.title')}</h1>
        <div className={classes.search}>
          <CourseSearch />
        </div>
        <WeekStrip counts={phase === 'ready' ? counts : null} />
      </div>
      <QuickFilters options={options} onFilter={openSheet} />
      <div className={piece('stack', 'close')} ref={results}>
        <ListToolbar
          hits={phase === 'ready' ? hits.length : null}
          hasWords={wanted.text.trim() !== ''}
          view={isWide ? view : null}
          onView={setView}
        >
          <AsOfLine asOf={asOf} isStale={isStale} isBeside />
        </ListToolbar>
        <ActiveFilters chosen={chosen}>{Follow && <Follow />}</ActiveFilters>
        <Corrections corrected={corrected} />
        {phase === 'loading' && <ListSkeleton />}
        {phase === 'failed' && <ListFailed />}
        {phase === 'ready' && hits.length > 0 && (
          <div className={classes.both} data-view={view}>
            <CourseList courses={isSheetOpen ? hitsBehindSheet : hits} isLoggedIn={isLoggedIn} isWhole={isPrinting} />
            {isWide && (
              <div className={classes.week}>
                <WeekGrid courses={hits} />
              </div>
            )}
          </div>
        )}
        {phase === 'ready' && hits.length === 0 && <ListEmpty ways={waysOut} near={near} isLoggedIn={isLoggedIn} />}
      </div>
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
