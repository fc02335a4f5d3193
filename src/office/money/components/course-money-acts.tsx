import i18next from 'i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSettlement } from '#contract/office/money.ts'
import { type ActRequest, courseLabel } from '#office/frame/act-store.ts'
import { AmountField } from '#office/frame/components/amount-field.tsx'
import { formatDateTime } from '#office/people/people-model.ts'

const t = i18next.getFixedT(null, 'office-money')

type Settlement = ResponseOf<typeof getSettlement>
export type CountedCourse = Pick<Settlement, 'courseId' | 'number' | 'name' | 'name2'>
type CountedLesson = Pick<Settlement['lessons'][number], 'courseDateId' | 'at'>
type Counting = 'exclude-lesson' | 'include-lesson'

const OPPOSITE = { 'exclude-lesson': 'include-lesson', 'include-lesson': 'exclude-lesson' } as const

/** Excludes lessons without recorded attendance from the settlement, or includes them again. */
export function countLessons(
  kind: Counting,
  course: CountedCourse,
  lessons: readonly CountedLesson[],
): ActRequest<Counting> {
  const [act = { kind }, ...others] = lessons.map(({ courseDateId }) => ({ kind, courseDateId }))
  return {
    act,
    others,
    title: t(kind === 'exclude-lesson' ? 'lesson.exclude' : 'lesson.include', { count: lessons.length }),
    about: `${courseLabel(course)}: ${lessons.map(({ at }) => formatDateTime(at)).join('; ')}`,
    ...(kind === 'exclude-lesson' && { details: () => <p>{t('lesson.excludeAbout')}</p> }),
    undo: () => countLessons(OPPOSITE[kind], course, lessons),
  }
}

export const repriceCourse = (
  course: CountedCourse,
  { fee, energyFee, externalFee }: Settlement['prices'],
): ActRequest<'reprice-course'> => ({
  act: {
    kind: 'reprice-course',
    courseId: course.courseId,
    fee,
    energyFee,
    ...(externalFee !== null && { externalFee }),
  },
  title: t('price.change'),
  about: courseLabel(course),
  form: ({ act, change }) => (
    <>
      <AmountField label={t('price.fee')} value={act.fee} onChange={to => change({ fee: to })} />
      <AmountField label={t('price.energyFee')} value={act.energyFee} onChange={to => change({ energyFee: to })} />
      <AmountField
        label={t('price.externalFee')}
        hint={externalFee === null ? t('price.externalFeeHint') : ''}
        isRequired={externalFee !== null}
        value={act.externalFee}
        onChange={to => change({ externalFee: to })}
      />
    </>
  ),
  missing: act => [
    ...(act.fee === undefined ? [t('price.fee')] : []),
    ...(act.energyFee === undefined ? [t('price.energyFee')] : []),
    ...(act.externalFee === undefined && externalFee !== null ? [t('price.externalFee')] : []),
  ],
  details: ({ result }) => (
    <p>
      {t('price.lowered', { count: Number(result.lowered) })} {t('price.about')}
    </p>
  ),
})
