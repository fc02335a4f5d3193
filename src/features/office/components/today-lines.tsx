import { Children, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getToday } from '#contract/office-today.ts'
import { nameIn } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActRequest, startAct } from '../act-store.ts'
import { formatMoment } from '../model.ts'
import { useGrowingList } from './growing-list.tsx'
import { NoteFields } from './note-fields.tsx'

type Lesson = NonNullable<ResponseOf<typeof getToday>['lessons']>[number]

export const useMayChange = () => useSession(state => state.session?.rights.includes('programme') ?? false)

/** Number of items rendered per section and step. */
const STEP = 25

type PartProps = { title: string; count: number | undefined; isAlways?: boolean; children: ReactNode }

/** @param isAlways also shown when empty; @param count undefined: not permitted for this user */
export function TodaySection({ title, count, isAlways = false, children }: PartProps) {
  const { t } = useTranslation('office')
  const [lines, more] = useGrowingList(Children.toArray(children), STEP)
  if (count === undefined || (count === 0 && !isAlways)) return null
  return (
    <section className={piece('stack')}>
      <h2>
        {title} ({count})
      </h2>
      {count === 0 ? (
        <p className={piece('muted', 'flush')}>{t('today.nothing')}</p>
      ) : (
        <ul className={piece('stack')}>{lines}</ul>
      )}
      {more}
    </section>
  )
}

export function TodayLine({ title, text, children }: { title: ReactNode; text: string; children?: ReactNode }) {
  return (
    <li className={piece('box', 'row')}>
      <div className={piece('grow', 'flush')}>
        <h3 className={piece('name')}>{title}</h3>
        <p className={piece('muted', 'flush')}>{text}</p>
      </div>
      {children}
    </li>
  )
}

export function LessonLine({ lesson }: { lesson: Lesson }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const mayChange = useMayChange()
  const { courseId, at, endTime, state, room, instructor, booked } = lesson
  const isCancelled = state === 'cancelled'
  const name = nameIn(language, lesson)
  const about = `${name}, ${formatMoment(at, language)}`
  const text = [`${at.slice(11)}–${endTime}`, room, instructor, t('today.booked', { count: booked })].filter(Boolean)
  return (
    <TodayLine
      title={
        <>
          <Link href={`/office/courses/${courseId}`}>{name}</Link>
          {isCancelled && <span className={piece('bad')}> {t('today.cancelled')}</span>}
        </>
      }
      text={text.join(' · ')}
    >
      {mayChange && (
        <Button
          look={isCancelled ? 'quiet' : 'danger'}
          isPill
          aria-label={`${t(isCancelled ? 'today.restore' : 'today.cancel')}: ${about}`}
          onClick={() => startAct(setLesson(t, lesson, about))}
        >
          {t(isCancelled ? 'today.restore' : 'today.cancel')}
        </Button>
      )}
    </TodayLine>
  )
}

type Say = ReturnType<typeof useTranslation>['t']

/** Cancels a lesson or restores it. */
const setLesson = (
  t: Say,
  lesson: Lesson,
  about: string,
  kind: 'cancel-lesson' | 'restore-lesson' = lesson.state === 'cancelled' ? 'restore-lesson' : 'cancel-lesson',
): ActRequest<typeof kind> => {
  const { courseDateId, version, at, endTime, room, instructor, state } = lesson
  const isBack = kind === 'restore-lesson'
  const title = t(isBack ? 'today.restoreTitle' : 'today.cancelTitle')
  return {
    act: { kind, courseDateId, version, quiet: false },
    title,
    about,
    confirm: t(isBack ? 'today.restore' : 'today.cancel'),
    form: NoteFields,
    facts: [
      {
        label: title,
        value: [`${at.slice(11)}–${endTime}`, room, instructor, state === 'cancelled' && t('today.cancelled')]
          .filter(Boolean)
          .join(' · '),
      },
    ],
    again: async () => {
      const { lessons = [] } = await api.getToday()
      const now = lessons.find(other => other.courseDateId === courseDateId)
      if (!now) throw new Error('the lesson no longer exists')
      return setLesson(t, now, about, kind)
    },
    undo: ({ version: after }) =>
      setLesson(t, { ...lesson, version: after ?? version }, about, isBack ? 'cancel-lesson' : 'restore-lesson'),
  }
}

/** Marks a past lesson as cancelled because nobody attended. */
export const cancelPastLesson = (
  t: Say,
  { courseDateId }: { courseDateId: number },
  about: string,
): ActRequest<'cancel-lesson'> => ({
  act: { kind: 'cancel-lesson', courseDateId, quiet: false },
  title: t('today.fellOut'),
  about,
  form: NoteFields,
})

export const bookGuest = (
  t: Say,
  courseId: number,
  courseName: string,
  { webUserId, name }: { webUserId: number; name: string },
): ActRequest<'book'> => ({
  act: { kind: 'book', courseId, webUserId },
  title: t('today.book'),
  about: `${name}: ${courseName}`,
  undo: () => null,
})
