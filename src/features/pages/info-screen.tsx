import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'

const ENTRIES = [
  { key: 'faq', route: '/faq' },
  { key: 'conditions', route: '/teilnahmebedingung' },
  { key: 'course-program', route: '/courseprogram' },
  { key: 'flyers', route: '/flyers' },
  { key: 'instructor', route: '/instructor' },
  { key: 'team', route: '/teamsport' },
  { key: 'contact', route: '/contact' },
  { key: 'privacy', route: '/privacy' },
  { key: 'inprint', route: '/inprint' },
  { key: 'offline', route: '/offline' },
]

/** The way into everything there is to read, and a search by course, location, instructor or sports room. */
export function InfoScreen() {
  const { t } = useTranslation(['reading', 'shell'])
  return (
    <>
      <ScreenHeader title={t('shell:title.info')} lead={t('info.lead')}>
        <CourseFinder />
      </ScreenHeader>
      <ul className={piece('columns')}>
        {ENTRIES.map(({ key, route }) => (
          <li key={key}>
            <Link href={route} className={piece('entry')}>
              <span className={piece('small', 'grow')}>
                <b className={piece('heading', 'ink')}>{t(`shell:title.${key}`)}</b>
                {t(`info.${key}`)}
              </span>
              <IconChevronRight aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
