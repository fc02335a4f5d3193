import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { FlyerList } from './components/flyer-list.tsx'

export function CourseProgramScreen() {
  const { t } = useTranslation(['reading', 'shell'])
  return (
    <>
      <ScreenHeader title={t('shell:title.course-program')} lead={t('program.lead')}>
        <Text mt="l">
          <ButtonLink href="/courses" look="primary">
            {t('program.toCourses')}
          </ButtonLink>
        </Text>
      </ScreenHeader>
      <FlyerList type="CourseFlyer" />
    </>
  )
}
