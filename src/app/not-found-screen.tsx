import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import buttons from '#components/button.module.css'
import { LostBall } from '#components/lost-ball.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'
import page from './shell/page.module.css'

export function NotFoundScreen() {
  const { t } = useTranslation('shell')
  return (
    <>
      <ScreenHeader title={t('title.not-found')} lead={t('notFound.text')}>
        <CourseFinder />
        <p className={buttons.row}>
          <Link href="/courses" className={`${buttons.button} ${buttons.primary}`}>
            {t('notFound.courses')}
          </Link>
          <Link href="/home" className={`${buttons.button} ${buttons.light}`}>
            {t('notFound.start')}
          </Link>
        </p>
      </ScreenHeader>
      <LostBall className={page.figure} />
    </>
  )
}
