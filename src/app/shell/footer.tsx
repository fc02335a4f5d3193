import { memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { branding } from '#lib/branding.ts'
import { pageLoaded } from '#lib/lazy-load.ts'
import { Box, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import classes from './footer.module.css'
import { menuName, topLinks } from './navigation.ts'

/** The footer's pictures are loaded after the first render; space is reserved for them. */
export const Footer = memo(function Footer() {
  const { t } = useTranslation('shell')
  const [hasPictures, setHasPictures] = useState(false)
  useEffect(() => {
    void pageLoaded().then(() => setHasPictures(true))
  }, [])
  return (
    <Box as="footer" size="s" className={classes.footer}>
      <Stack as="ul" align="center" className={classes.logos} aria-label={t('divisions')}>
        {branding.divisions.map(({ name, logo }) => (
          <li key={name}>
            {hasPictures ? (
              <img src={`/logos/${logo}`} alt={name} width="149" height="36" loading="lazy" decoding="async" />
            ) : (
              <span className="visually-hidden">{name}</span>
            )}
          </li>
        ))}
      </Stack>
      <Stack as="nav" aria-label={t('nav.legal')} gap="none" align="center" py="s">
        {topLinks.map(page => (
          <Link key={page} href={page} className={styles({ base: 'tapTarget' })}>
            {menuName(t, page)}
          </Link>
        ))}
      </Stack>
      <Text flush py="s" align="center">
        {t('copyright', { year: branding.copyrightYear, name: branding.name })}
      </Text>
    </Box>
  )
})
