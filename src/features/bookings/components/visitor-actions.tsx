import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import buttons from '#components/button.module.css'
import { loginRoute } from '../model.ts'
import classes from './booking-block.module.css'

/** Login, which comes back to the course, and registration. */
export function VisitorActions({ courseId }: { courseId: number }) {
  const { t } = useTranslation('bookings')
  return (
    <div className={classes.actions}>
      <Link href={loginRoute(courseId)} className={`${buttons.button} ${buttons.primary} ${buttons.wide}`}>
        {t('action.login')}
      </Link>
      <Link href="/register1" className={`${buttons.button} ${buttons.ghost} ${buttons.wide}`}>
        {t('action.register')}
      </Link>
    </div>
  )
}
