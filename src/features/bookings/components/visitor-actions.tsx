import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { Row } from '#components/layout.tsx'
import { loginRoute } from '../model.ts'
import classes from './booking-block.module.css'

/** Login, which returns to the course, and registration. */
export function VisitorActions({ courseId }: { courseId: number }) {
  const { t } = useTranslation('bookings')
  return (
    <Row className={classes.actions}>
      <ButtonLink href={loginRoute(courseId)} look="primary" isWide>
        {t('action.login')}
      </ButtonLink>
      <ButtonLink href="/register1" look="ghost" isWide>
        {t('action.register')}
      </ButtonLink>
    </Row>
  )
}
