import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import classes from './trail.module.css'

/** The breadcrumb: where the reader came along. */
export function Trail() {
  const { t } = useTranslation('shell')
  const trail = useBreadcrumb(state => state.trail)
  if (trail.length < 2) return null
  return (
    <nav aria-label={t('nav.trail')} className={classes.trail}>
      <ol>
        {trail.map(({ key, route, name = t(`title.${key}`) }, place) => (
          <li key={route}>
            {place === trail.length - 1 ? <span aria-current="page">{name}</span> : <Link href={route}>{name}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
