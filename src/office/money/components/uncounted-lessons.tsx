import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSettlement } from '#contract/office/money.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { formatDateTime } from '#office/people/people-model.ts'
import { countLessons } from './course-money-acts.tsx'
import { MoneySection } from './money-section.tsx'

type Settlement = ResponseOf<typeof getSettlement>

/** Lessons without recorded attendance, which prevent a settlement, and lessons that have been excluded from it. */
export function OpenAndExcludedLessons({ read }: { read: Settlement }) {
  const { t } = useTranslation('office-money')
  const inState = (wanted: Settlement['lessons'][number]['recording']) =>
    read.lessons.filter(({ recording }) => recording === wanted)
  const table = (caption: string, lessons: Settlement['lessons'], kind: 'exclude-lesson' | 'include-lesson') => {
    const label = t(kind === 'exclude-lesson' ? 'lesson.excludeOne' : 'lesson.includeOne')
    return (
      <CompactTable
        caption={caption}
        columns={[{ label: t('course.lesson') }]}
        rows={lessons.map(lesson => ({
          key: lesson.courseDateId,
          cells: [formatDateTime(lesson.at)],
          actions: (
            <ActButton
              aria-label={`${label}: ${formatDateTime(lesson.at)}`}
              begin={() => countLessons(kind, read, [lesson])}
            >
              {label}
            </ActButton>
          ),
        }))}
      />
    )
  }
  const [open, excluded] = [inState('open'), inState('excluded')]
  return (
    <>
      {open.length > 0 && (
        <MoneySection
          title={t('course.lessonsOpen')}
          lead={t('course.lessonsOpenAbout')}
          actions={
            open.length > 1 && (
              <ActButton look="quiet" isPill begin={() => countLessons('exclude-lesson', read, open)} />
            )
          }
        >
          {table(t('course.lessonsOpen'), open, 'exclude-lesson')}
        </MoneySection>
      )}
      {excluded.length > 0 && (
        <MoneySection title={t('course.lessonsExcluded')}>
          {table(t('course.lessonsExcluded'), excluded, 'include-lesson')}
        </MoneySection>
      )}
    </>
  )
}
