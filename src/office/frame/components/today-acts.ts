import i18next from 'i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getToday } from '#contract/office/today.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import type { ActRequest } from '../act-store.ts'
import { NoteFields } from './note-fields.tsx'

export type TodayData = ResponseOf<typeof getToday>
export type TodayLesson = NonNullable<TodayData['lessons']>[number]

export const useMayChangeProgramme = () => useSession(state => state.session?.rights.includes('programme') ?? false)

const t = i18next.getFixedT(null, 'office')

/** Prepares the action that cancels a lesson or restores a cancelled one. */
export const cancelOrRestoreLesson = (
  lesson: TodayLesson,
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
      return cancelOrRestoreLesson(now, about, kind)
    },
    undo: ({ version: after }) =>
      cancelOrRestoreLesson(
        { ...lesson, version: after ?? version },
        about,
        isBack ? 'cancel-lesson' : 'restore-lesson',
      ),
  }
}

/** Prepares the action that marks a past lesson as cancelled because nobody attended. */
export const cancelPastLesson = (
  { courseDateId }: { courseDateId: number },
  about: string,
): ActRequest<'cancel-lesson'> => ({
  act: { kind: 'cancel-lesson', courseDateId, quiet: false },
  title: t('today.fellOut'),
  about,
  form: NoteFields,
})

type Decision = NonNullable<TodayData['decisions']>[number]

/** Prepares the action that confirms or cancels a course with fewer participants than its minimum. */
export const confirmOrCancelCourse = (
  { courseId, version }: Decision,
  about: string,
  kind: 'confirm-course' | 'cancel-course',
): ActRequest<typeof kind> => ({
  act: { kind, courseId, version, quiet: false },
  title: t(`today.${kind}`),
  about,
  undo: () => ({
    act: { kind: kind === 'confirm-course' ? 'unconfirm-course' : 'restore-course', courseId, quiet: false },
    title: t(`today.undo-${kind}`),
    about,
  }),
})

export const bookWalkInGuest = (
  courseId: number,
  courseName: string,
  { webUserId, name }: { webUserId: number; name: string },
): ActRequest<'book'> => ({
  act: { kind: 'book', courseId, webUserId },
  title: t('today.book'),
  about: `${name}: ${courseName}`,
  undo: () => null,
})
