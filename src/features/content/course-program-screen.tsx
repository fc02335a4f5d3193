import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import buttons from '#components/button.module.css'
import { ScreenHeader } from '#components/screen-header.tsx'
import { FlyerList } from './components/flyer-list.tsx'
import classes from './course-program-screen.module.css'

export function CourseProgramScreen() {
  const { t } = useTranslation(['content', 'shell'])
  return (
    <>
      <ScreenHeader title={t('shell:title.course-program')} lead={t('program.lead')}>
        <p className={classes.action}>
          <Link href="/courses" className={`${buttons.button} ${buttons.primary}`}>
            {t('program.toCourses')}
          </Link>
        </p>
      </ScreenHeader>
      <FlyerList type="CourseFlyer" />
    </>
  )
}
