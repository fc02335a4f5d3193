import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { Row } from '#components/layout.tsx'
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
        <Row as="p" mt="l">
          <ButtonLink href="/courses" look="primary">
            {t('notFound.courses')}
          </ButtonLink>
          <ButtonLink href="/home" look="light">
            {t('notFound.start')}
          </ButtonLink>
        </Row>
      </ScreenHeader>
      <LostBall className={page.figure} />
    </>
  )
}
