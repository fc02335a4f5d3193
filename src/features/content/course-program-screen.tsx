import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { FlyerList } from './components/flyer-list.tsx'
import classes from './course-program-screen.module.css'

export function CourseProgramScreen() {
  const { t } = useTranslation(['content', 'shell'])
  return (
    <>
      <ScreenHeader title={t('shell:title.course-program')} lead={t('program.lead')}>
        <p className={classes.action}>
          <ButtonLink href="/courses" look="primary">
            {t('program.toCourses')}
          </ButtonLink>
        </p>
      </ScreenHeader>
      <FlyerList type="CourseFlyer" />
    </>
  )
}
