import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSettlement } from '#contract/office/money.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActRequest, startAct } from '#office/frame/act-store.ts'
import { AmountField } from '#office/frame/components/amount-field.tsx'
import { formatDateTime } from '#office/people/people-model.ts'

type Settlement = ResponseOf<typeof getSettlement>
type Course = Pick<Settlement, 'courseId' | 'number' | 'name' | 'name2'>
type CountedLesson = Pick<Settlement['lessons'][number], 'courseDateId' | 'at'>
type Counting = 'exclude-lesson' | 'include-lesson'

const OPPOSITE = { 'exclude-lesson': 'include-lesson', 'include-lesson': 'exclude-lesson' } as const

/**
 * Actions on a course that require the `billing` permission: changing its prices, and excluding lessons without
 * recorded attendance.
 */
export function useCourseMoneyActs(course: Course) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const name = `${course.number} ${nameInLanguage(language, course)}`

  const counting = (kind: Counting, lessons: readonly CountedLesson[]): ActRequest<Counting> | null => {
    const [act, ...others] = lessons.map(({ courseDateId }) => ({ kind, courseDateId }))
    return act
      ? {
          act,
          others,
          title: t(kind === 'exclude-lesson' ? 'lesson.exclude' : 'lesson.include', { count: lessons.length }),
          about: `${name}: ${lessons.map(({ at }) => formatDateTime(at)).join('; ')}`,
          ...(kind === 'exclude-lesson' && { details: () => <p>{t('lesson.excludeAbout')}</p> }),
          undo: () => counting(OPPOSITE[kind], lessons),
        }
      : null
  }
  const setCounted = (kind: Counting, lessons: readonly CountedLesson[]) => {
    const request = counting(kind, lessons)
    if (request) startAct<Counting>(request)
  }
  const reprice = ({ fee, energyFee, externalFee }: Settlement['prices']) =>
    startAct<'reprice-course'>({
      act: {
        kind: 'reprice-course',
        courseId: course.courseId,
        fee,
        energyFee,
        ...(externalFee !== null && { externalFee }),
      },
      title: t('price.change'),
      about: name,
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
  return { setCounted, reprice }
}
