import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'
import { formatMoney, nameIn } from '#contract/words.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { formatAttendance, waiverStateOf } from '#features/courses/attendance-model.ts'
import { WaiverProgress } from '#features/courses/components/waiver-progress.tsx'
import { useLanguage } from '#lib/use-language.ts'
import type { CourseCost } from '../resource.ts'

/** Causes of a held amount that the profile does not resolve. */
const NOT_IN_PROFILE = ['consent', 'undecided', 'iban']

/** Lines and sum of one course, why something is still open, and what the user can do about it. */
export function CourseCosts({ cost }: { cost: CourseCost }) {
  const { t } = useTranslation('costs')
  const language = useLanguage()
  const course = useBookedCourses(state => state.data.find(({ id }) => id === cost.courseId))
  const { courseId, lines, sum, state, cause, help } = cost
  const attended = formatAttendance(course?.attendance ?? null, useTranslation('courses').t)
  const name = nameIn(language, cost)
  return (
    <article className={piece('box', 'stack', 'close')}>
      <h3 className={piece('name')}>
        {courseId === null ? t('noCourse') : <Link href={`/course-details/${courseId}`}>{name}</Link>}
      </h3>
      <ul className={piece('stack', 'tight')}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are append-only and have no id on the wire
          <li key={index} className={piece('spread')}>
            <span className={piece('grow')}>{line.text}</span>
            <span className={piece('steady')}>{formatMoney(line.amount)}</span>
          </li>
        ))}
        <li className={piece('spread', 'bold')}>
          <span>{t(state === 'open' ? 'sumOpen' : 'sum')}</span>
          <span className={piece('steady')}>{formatMoney(sum)}</span>
        </li>
      </ul>
      {state === 'open' && course && waiverStateOf(course) && (
        <>
          {attended && <p className={piece('small', 'flush')}>{attended}</p>}
          <WaiverProgress course={course} />
        </>
      )}
      <p className={piece('small', 'flush')}>
        <b className={piece('ink')}>{t(`state.${state}`)}</b> {t(`stateText.${state}`)}
      </p>
      {help && (
        <p className={piece('notice', 'sunny', 'flush')}>
          {help} {!NOT_IN_PROFILE.includes(cause) && <Link href="/edit">{t('toProfile')}</Link>}
        </p>
      )}
    </article>
  )
}
