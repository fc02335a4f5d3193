import { memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'
import { branding } from '#lib/branding.ts'
import { pageLoaded } from '#lib/lazy-load.ts'
import classes from './footer.module.css'
import { menuName, topLinks } from './navigation.ts'

/** Its pictures load after the first view; their space is reserved. */
export const Footer = memo(function Footer() {
  const { t } = useTranslation('shell')
  const [hasPictures, setHasPictures] = useState(false)
  useEffect(() => {
    void pageLoaded().then(() => setHasPictures(true))
  }, [])
  return (
    <footer className={`${piece('small')} ${classes.footer}`}>
      <ul className={`${piece('stack', 'centered')} ${classes.logos}`} aria-label={t('divisions')}>
        {branding.divisions.map(({ name, logo }) => (
          <li key={name}>
            {hasPictures ? (
              <img src={`/logos/${logo}`} alt={name} width="149" height="36" loading="lazy" decoding="async" />
            ) : (
              <span className="visually-hidden">{name}</span>
            )}
          </li>
        ))}
      </ul>
      <nav aria-label={t('nav.legal')} className={piece('stack', 'joined', 'centered', 'padded')}>
        {topLinks.map(page => (
          <Link key={page} href={page} className={piece('tap')}>
            {menuName(t, page)}
          </Link>
        ))}
      </nav>
      <p className={piece('flush', 'padded', 'centered')}>
        {t('copyright', { year: branding.copyrightYear, name: branding.name })}
      </p>
    </footer>
  )
})
