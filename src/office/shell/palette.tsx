import { type KeyboardEvent, useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ActKind } from '#contract/acts/acts.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { type ActRequest, startAct } from '#office/frame/act-store.ts'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { hasAnyRight } from '#office/frame/model.ts'
import { useCreatePerson } from '#office/people/components/create-person.tsx'
import { setAbsence } from '#office/programme/components/absence-acts.tsx'
import { saveCategory, saveInstructor, saveRoom } from '#office/programme/components/basic-acts.tsx'
import { setClosure } from '#office/programme/components/closure-acts.tsx'
import { type CourseSummary, setCourseState } from '#office/programme/components/course-acts.tsx'
import { bookForCourse } from '#office/programme/components/participant-acts.tsx'
import { copySeason, createCourse, createSeason } from '#office/programme/components/season-acts.tsx'
import { toDateString } from '#office/programme/model.ts'
import type { Season } from '#office/programme/resource.ts'
import { useCourseFormOptions } from '#office/programme/use-course-form-options.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Box, Stack, Text } from '#ui/layout.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { accessibleScreensOf } from './office-navigation.ts'
import classes from './palette.module.css'
import { findPaletteCandidates, type PaletteCandidate, toPaletteCandidate } from './palette-model.ts'

type Found = { key: string; group: 'screen' | 'course' | 'person' | 'act'; label: string; open: () => void }

const TYPING_MS = 150
const SHOWN = 12
const OTHERS_SHOWN = 5
const PEOPLE_SHOWN = 5
const COURSES_SHOWN = 6
const COURSE_ACTS_SHOWN = 6

/** Command palette: searches screens, courses, people and actions. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('office')
  const [search, setSearch] = useState('')
  useTypeAhead(text => setSearch(before => before + text))
  // Searching is deferred so that typing stays responsive.
  const found = useFound(useDeferredValue(search.trim()))
  const pick = (one: Found | undefined) => {
    if (!one) return
    onClose()
    one.open()
  }
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <Stack ref={startInSearch} onKeyDown={moveByKey}>
        <SearchBox
          label={t('palette.label')}
          value={search}
          onChange={setSearch}
          submitLabel={t('palette.open')}
          onSubmit={() => pick(found[0])}
        />
        <Box as="ul" divided className={classes.found} aria-label={t('palette.found')}>
          {found.map(one => (
            <li key={one.key}>
              <button type="button" onClick={() => pick(one)}>
                <span>{one.label}</span>
                <Text as="span" size="s">
                  {t(`palette.${one.group}`)}
                </Text>
              </button>
            </li>
          ))}
        </Box>
        <Text role="status" tone="muted" flush>
          {found.length === 0 ? t('palette.none') : t('palette.count', { count: found.length })}
        </Text>
      </Stack>
    </Dialog>
  )
}

/** Receives what is typed after the shortcut, but before the dialog is there and has the focus. */
function useTypeAhead(append: (text: string) => void): void {
  const onText = useEffectEvent(append)
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || key.length !== 1 || document.querySelector('[aria-modal="true"] input'))
        return
      event.preventDefault()
      event.stopPropagation()
      onText(key)
    }
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [])
}

/** The search box receives the dialog's initial focus. */
const startInSearch = (node: HTMLElement | null) => node?.querySelector('input')?.setAttribute('data-autofocus', '')

/** Moves the focus between the search box and the results with the arrow keys. */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li > button')]
  const next = places[places.findIndex(place => place.matches(':focus')) + step]
  event.preventDefault()
  next?.focus()
}

type Entry = Found & PaletteCandidate
type CourseState = 'cancel-course' | 'restore-course'

const toEntry = (found: Found, key = found.key, alsoFoundBy = ''): Entry => ({
  ...found,
  ...toPaletteCandidate(found.label, key, alsoFoundBy),
})

/** Searches people on the server, which normalizes the text and corrects typing errors. */
function usePeople(search: string, isAllowed: boolean): Entry[] {
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(search), TYPING_MS)
    return () => clearTimeout(timer)
  }, [search])
  const people = useResource(
    'listOfficePeople',
    isAllowed && asked.length > 1 ? { query: { q: asked, limit: PEOPLE_SHOWN } } : null,
  )
  return (people.data?.items ?? []).map(({ id, name, email }) =>
    toEntry({
      key: `person ${id}`,
      group: 'person',
      label: [name, email].filter(Boolean).join(', '),
      open: () => navigate(`/office/people/${id}`),
    }),
  )
}

/** Actions that do not need a course, most frequently used first. */
function useGeneralActs(seasons: readonly Season[]): Entry[] {
  const { t } = useTranslation(['office', 'office-programme', 'office-people'])
  const [, navigate] = useLocation()
  const rights = useSession(state => state.session?.rights) ?? []
  const isProgramme = rights.includes('programme')
  const categories = useCompleteList('listOfficeCategories', isProgramme ? {} : null)
  const options = useCourseFormOptions(seasons, categories.data ?? [])
  const openSeason = (id: number) => navigate(`/office/season?season=${id}`)
  const createPerson = useCreatePerson()
  const today = toDateString(useToday())
  const span = { from: today, to: today }
  const act = (key: string, label: string, open: () => void) => toEntry({ key, group: 'act', label, open })
  const titled = <Kind extends ActKind>(key: string, request: ActRequest<Kind>) =>
    act(key, request.title, () => startAct(request))
  const lastSeason = seasons.at(-1)
  const ofProgramme = () => [
    ...(lastSeason
      ? [
          titled('create-course', createCourse(lastSeason, options)),
          titled('copy-season', copySeason(lastSeason, openSeason)),
        ]
      : []),
    titled('create-season', createSeason(openSeason)),
    act('absence', t('palette.absence'), () => startAct(setAbsence({ instructorEmail: '', name: '', ...span }))),
    act('closure', t('palette.closure'), () => startAct(setClosure({ name: '', ...span }))),
    titled('new-room', saveRoom()),
    titled('new-instructor', saveInstructor()),
    titled('new-category', saveCategory()),
  ]
  const ofBookings = () => [
    act('create-person', t('office-people:create.title'), createPerson),
    act('send-message', t('office-programme:act.send-message'), () => navigate('/office/messages')),
    act('merge', t('palette.merge'), () => navigate('/office/duplicates')),
  ]
  return [...(rights.includes('bookings') ? ofBookings() : []), ...(isProgramme ? ofProgramme() : [])]
}

/** Courses and the actions on each of them: 'yoga' finds the course, and 'fällt aus yoga' an action on it. */
function useCourseEntries(isWanted: boolean): { courses: Entry[]; acts: Entry[] } {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const [, navigate] = useLocation()
  const rights = useSession(state => state.session?.rights) ?? []
  const reading = useCompleteList(
    'listOfficeCourses',
    isWanted && hasAnyRight(rights, ['programme', 'bookings']) ? {} : null,
  )
  const courses = useMemo(
    () =>
      (reading.data ?? []).map(course => ({
        course,
        entry: toEntry(
          {
            key: `course ${course.id}`,
            group: 'course',
            label: `${course.number} ${nameInLanguage(language, course)}`,
            open: () => navigate(`/office/courses/${course.id}`),
          },
          '',
          course.instructor,
        ),
      })),
    [reading.data, language, navigate],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change only with the courses and the language
  const acts = useMemo(() => {
    const of = (kind: 'book' | CourseState, course: CourseSummary, name: string, open: () => void) =>
      toEntry(
        { key: `${kind} ${course.id}`, group: 'act', label: `${t(`act.${kind}`, { count: 1 })}: ${name}`, open },
        kind,
      )
    return courses.flatMap(({ course, entry: { label } }) => {
      const state = course.cancelled ? 'restore-course' : 'cancel-course'
      return [
        ...(rights.includes('bookings') ? [of('book', course, label, () => startAct(bookForCourse(course)))] : []),
        ...(rights.includes('programme')
          ? [of(state, course, label, () => startAct(setCourseState(state, [course])))]
          : []),
      ]
    })
  }, [courses, t])
  return { courses: useMemo(() => courses.map(({ entry }) => entry), [courses]), acts }
}

function useFound(search: string): Found[] {
  const { t } = useTranslation('office')
  const [, navigate] = useLocation()
  const rights = useSession(state => state.session?.rights) ?? []
  const seasons = useCompleteList('listOfficeSeasons', rights.includes('programme') ? {} : null)
  const people = usePeople(search, hasAnyRight(rights, ['bookings', 'owner']))
  const acts = useGeneralActs(seasons.data ?? [])
  const { courses, acts: courseActs } = useCourseEntries(search !== '')
  const screens = accessibleScreensOf(rights)
    .filter(({ nav }) => nav)
    .map(({ path, nav }) =>
      toEntry({ key: path, group: 'screen', label: t(`page.${nav}`), open: () => navigate(path) }),
    )
  // There are thousands of entries, so the search runs again only when the search text or the entries change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: screens and actions change only if their number changes
  const local = useMemo(
    () => findPaletteCandidates([...screens, ...acts, ...courses], search),
    [search, courses, screens.length, acts.length],
  )
  const foundActs = useMemo(() => findPaletteCandidates(courseActs, search), [search, courseActs])
  if (search === '') return [...screens, ...acts].slice(0, SHOWN)
  const isCourse = ({ group }: Found) => group === 'course'
  return [
    ...local.filter(found => !isCourse(found)).slice(0, OTHERS_SHOWN),
    ...local.filter(isCourse).slice(0, COURSES_SHOWN),
    ...people,
    ...foundActs.slice(0, COURSE_ACTS_SHOWN),
  ].slice(0, SHOWN)
}
