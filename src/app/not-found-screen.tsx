import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { LostBall } from '#components/lost-ball.tsx'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'
import page from './shell/page.module.css'

export function NotFoundScreen() {
  const { t } = useTranslation('shell')
  return (
    <>
      <ScreenHeader title={t('title.not-found')} lead={t('notFound.text')}>
        <CourseFinder />
        <p className={piece('row', 'above')}>
          <ButtonLink href="/courses" look="primary">
            {t('notFound.courses')}
          </ButtonLink>
          <ButtonLink href="/home" look="light">
            {t('notFound.start')}
          </ButtonLink>
        </p>
      </ScreenHeader>
      <LostBall className={page.figure} />
    </>
  )
}
