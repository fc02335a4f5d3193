import { useTranslation } from 'react-i18next'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Row } from '#ui/layout.tsx'
import { ErrorIllustration } from '#ui/lost-ball.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
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
      <ErrorIllustration className={page.figure} />
    </>
  )
}
