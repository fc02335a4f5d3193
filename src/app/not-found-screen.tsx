import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import buttons from '#components/button.module.css'
import { ScreenHeader } from '#components/screen-header.tsx'

export function NotFoundScreen() {
  const { t } = useTranslation('shell')
  return (
    <>
      <ScreenHeader title={t('title.not-found')} lead={t('notFound.text')} />
      <Link href="/courses" className={`${buttons.button} ${buttons.primary}`}>
        {t('notFound.courses')}
      </Link>
    </>
  )
}
