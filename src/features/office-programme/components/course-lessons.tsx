import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { nameIn } from '#contract/words.ts'
import { DeskTable } from '#features/office/components/desk-table.tsx'
import type { Column } from '#features/office/components/table-cells.tsx'
import { useLanguage } from '#lib/use-language.ts'
import { formatFullDate, weekdayOf } from '../model.ts'
import type { Instructor, Lesson, OfficeCourse, Room } from '../resource.ts'
import { useLessonActs } from './lesson-acts.tsx'

type Props = {
  read: OfficeCourse
  mayChange: boolean
  rooms: readonly Room[]
  instructors: readonly Instructor[]
  onAdd: () => void
}

export function CourseLessons({ read: { lessons, version, course }, mayChange, rooms, instructors, onAdd }: Props) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const acts = useLessonActs({ rooms, instructors })
  const toAct = (lesson: Lesson) => ({
    ...lesson,
    version,
    courseId: course.id,
    courseName: `${course.number} ${nameIn(language, course)}`,
  })
  const columns: Column<Lesson>[] = [
    {
      key: 'date',
      label: t('field.date'),
      isName: true,
      value: ({ date, startTime }) => `${date} ${startTime}`,
      show: ({ date, startTime, endTime, state, note, note2 }) => (
        <span className={state === 'cancelled' ? piece('muted') : undefined}>
          {t(`day.${weekdayOf(date)}`)} {formatFullDate(date)} {startTime}–{endTime}
          {state === 'cancelled' && <b className={piece('bad', 'block')}>{t('lesson.cancelled')}</b>}
          {note && <small className={piece('small', 'block')}>{language === 'en' && note2 ? note2 : note}</small>}
        </span>
      ),
    },
    { key: 'room', label: t('field.venue'), value: ({ room }) => room, isWideOnly: true },
    { key: 'instructor', label: t('field.instructor'), value: ({ instructor }) => instructor, isWideOnly: true },
    { key: 'present', label: t('list.present'), value: ({ present }) => present ?? '', isWideOnly: true },
  ]
  return (
    <>
      {mayChange && (
        <p>
          <Button look="quiet" isPill onClick={onAdd}>
            {t('act.add-lesson')}
          </Button>
        </p>
      )}
      <DeskTable
        caption={t('tab.lessons', { count: lessons.length })}
        name="l"
        hasNoSearch
        columns={columns}
        rows={lessons}
        idOf={({ courseDateId }) => courseDateId}
        {...(mayChange && {
          selection: (chosen: Lesson[], clear: () => void) => (
            <>
              <Button look="primary" isPill onClick={() => acts.changeMany(chosen.map(toAct), clear)}>
                {t('act.change-lessons', { count: chosen.length })}
              </Button>
              <Button
                look="danger"
                isPill
                onClick={() => acts.cancelMany(chosen.filter(({ state }) => state === 'planned').map(toAct), clear)}
              >
                {t('act.cancel-lessons', { count: chosen.length })}
              </Button>
            </>
          ),
          actions: (lesson: Lesson) => (
            <>
              <Button look="text" onClick={() => acts.change(toAct(lesson))}>
                {t('lesson.change')}
              </Button>
              <Button
                look="text"
                onClick={() => (lesson.state === 'planned' ? acts.cancel : acts.restore)(toAct(lesson))}
              >
                {t(lesson.state === 'planned' ? 'lesson.cancel' : 'lesson.restore')}
              </Button>
            </>
          ),
        })}
      />
    </>
  )
}
