import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'

export function NotFoundScreen() {
  const { t } = useTranslation('shell')
  return (
    <>
      <h1>{t('title.not-found')}</h1>
      <p>{t('notFound.text')}</p>
      <p>
        <Link href="/courses">{t('notFound.courses')}</Link>
      </p>
    </>
  )
}
