import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Dialog } from '#components/dialog.tsx'
import { piece } from '#components/pieces.ts'
import { SearchBox } from '#components/search-box.tsx'
import { nameIn } from '#contract/words.ts'
import { useList } from '#features/office/list-resource.ts'
import { fitsSearch, hasAnyRight } from '#features/office/model.ts'
import { useBasicActs } from '#features/office-programme/components/basic-acts.tsx'
import { useCourseActs } from '#features/office-programme/components/course-acts.tsx'
import { useSeasonActs } from '#features/office-programme/components/season-acts.tsx'
import { useOptions } from '#features/office-programme/use-options.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { screensOf } from './desk-navigation.ts'

type Found = { key: string; group: 'screen' | 'course' | 'person' | 'act'; label: string; open: () => void }

const TYPING_MS = 150
const SHOWN = 12
const COURSES_SHOWN = 6
const COURSE_ACTS_SHOWN = 6

/** Command palette: searches screens, courses, people and actions. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('office')
  const [search, setSearch] = useState('')
  // The search is deferred so that typing stays responsive.
  const found = useFound(useDeferredValue(search.trim()))
  const pick = (one: Found | undefined) => {
    if (!one) return
    onClose()
    one.open()
  }
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are a short way beside Tab */}
      <div ref={startInSearch} className={piece('stack')} onKeyDown={moveByKey}>
        <SearchBox
          label={t('palette.label')}
          value={search}
          onChange={setSearch}
          submitLabel={t('palette.open')}
          onSubmit={() => pick(found[0])}
        />
        <ul className={piece('stack', 'close')} aria-label={t('palette.found')}>
          {found.map(one => (
            <li key={one.key} className={piece('stack')}>
              <button type="button" className={piece('entry')} onClick={() => pick(one)}>
                <span>{one.label}</span>
                <span className={piece('small')}>{t(`palette.${one.group}`)}</span>
              </button>
            </li>
          ))}
        </ul>
        <p role="status" className={piece('muted', 'flush')}>
          {found.length === 0 ? t('palette.none') : t('palette.count', { count: found.length })}
        </p>
      </div>
    </Dialog>
  )
}

/** Initial focus of the dialog. */
const startInSearch = (node: HTMLElement | null) => node?.querySelector('input')?.setAttribute('data-autofocus', '')

/** Arrow keys move between the search box and the results. */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li > button')]
  const next = places[places.findIndex(place => place.matches(':focus')) + step]
  event.preventDefault()
  next?.focus()
}

function useFound(search: string): Found[] {
  const { t } = useTranslation(['office', 'office-programme'])
  const language = useLanguage()
  const [, navigate] = useLocation()
  const rights = useSession(state => state.session?.rights) ?? []
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(search), TYPING_MS)
    return () => clearTimeout(timer)
  }, [search])
  const may = (...wanted: (typeof rights)[number][]) => hasAnyRight(rights, wanted)
  // Courses are loaded only once something is typed.
  const courses = useList('listOfficeCourses', may('programme', 'bookings') && search !== '' ? {} : null)
  const people = useResource(
    'listOfficePeople',
    may('bookings', 'owner') && asked.length > 1 ? { query: { q: asked, limit: 5 } } : null,
  )
  const named = useMemo(
    () => (courses.data ?? []).map(course => ({ course, label: `${course.number} ${nameIn(language, course)}` })),
    [courses.data, language],
  )
  const seasons = useList('listOfficeSeasons', may('programme') ? {} : null)
  const categories = useList('listOfficeCategories', may('programme') ? {} : null)
  const options = useOptions(seasons.data ?? [], categories.data ?? [])
  const courseActs = useCourseActs()
  const basicActs = useBasicActs()
  const seasonActs = useSeasonActs(options, id => navigate(`/office/season?season=${id}`))

  const screens = screensOf(rights)
    .filter(({ nav }) => nav)
    .map(
      ({ path, nav }): Found => ({ key: path, group: 'screen', label: t(`page.${nav}`), open: () => navigate(path) }),
    )
  const act = (key: string, label: string, open: () => void): Found => ({ key, group: 'act', label, open })
  const lastSeason = seasons.data?.at(-1)
  const acts = [
    ...(may('programme')
      ? [
          act('create-season', t('office-programme:act.create-season'), seasonActs.create),
          ...(lastSeason
            ? [
                act('create-course', t('office-programme:act.create-course'), () =>
                  seasonActs.createCourse(lastSeason.id),
                ),
                act('copy-season', t('office-programme:act.copy-season'), () => seasonActs.copy(lastSeason)),
              ]
            : []),
          act('new-room', t('office-programme:act.new-room'), () => basicActs.room.onSave()),
          act('new-instructor', t('office-programme:act.new-instructor'), () => basicActs.instructor.onSave()),
          act('new-category', t('office-programme:act.new-category'), () => basicActs.category.onSave()),
        ]
      : []),
    ...(may('bookings')
      ? [act('send-message', t('office-programme:act.send-message'), () => navigate('/office/messages'))]
      : []),
  ]
  if (search === '') return [...screens, ...acts].slice(0, SHOWN)
  const fits = ({ label }: { label: string }) => fitsSearch(search, [label])
  const foundCourses = named.filter(fits)
  // 'fällt aus yoga' finds the action, as 'yoga' finds the course.
  const words = {
    book: t('office-programme:act.book', { count: 1 }),
    'cancel-course': t('office-programme:act.cancel-course', { count: 1 }),
    'restore-course': t('office-programme:act.restore-course', { count: 1 }),
  }
  const courseActsOf = named.flatMap(({ course, label }) => {
    const state = course.cancelled ? 'restore-course' : 'cancel-course'
    const of = (kind: keyof typeof words, open: () => void) =>
      act(`${kind} ${course.id}`, `${words[kind]}: ${label}`, open)
    return [
      ...(may('bookings') ? [of('book', () => courseActs.book(course))] : []),
      ...(may('programme') ? [of(state, () => courseActs.setState(state, [course]))] : []),
    ]
  })
  return [
    ...screens.filter(fits),
    ...foundCourses.slice(0, COURSES_SHOWN).map(
      ({ course: { id }, label }): Found => ({
        key: `course ${id}`,
        group: 'course',
        label,
        open: () => navigate(`/office/courses/${id}`),
      }),
    ),
    ...(people.data?.items ?? []).map(
      ({ id, name, email }): Found => ({
        key: `person ${id}`,
        group: 'person',
        label: [name, email].filter(Boolean).join(', '),
        open: () => navigate(`/office/people/${id}`),
      }),
    ),
    ...acts.filter(fits),
    ...courseActsOf.filter(fits).slice(0, COURSE_ACTS_SHOWN),
  ].slice(0, SHOWN)
}
