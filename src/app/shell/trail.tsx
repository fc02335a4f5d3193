import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { styles } from '#ui/styles.ts'

/** Breadcrumb of visited pages. */
export function BreadcrumbTrail() {
  const { t } = useTranslation('shell')
  const { trail, names } = useBreadcrumb()
  return (
    <nav aria-label={t('nav.trail')}>
      <ol className={styles({ base: 'strip' })}>
        {trail.map(({ key, route }, index) => {
          const title = names[route]?.title ?? t(`title.${key}`)
          return (
            <li key={route}>
              {index < trail.length - 1 ? <Link href={route}>{title}</Link> : <span aria-current="page">{title}</span>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
