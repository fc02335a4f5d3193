import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { IconChevronRight } from '#components/shell-icons.ts'
import { PAGES, type PagePath } from '#contract/public-pages.ts'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'

const ENTRIES: PagePath[] = [
  '/faq',
  '/teilnahmebedingung',
  '/courseprogram',
  '/flyers',
  '/instructor',
  '/teamsport',
  '/contact',
  '/privacy',
  '/inprint',
  '/offline',
]

/** Overview of all information pages, with a search by course, location, instructor or sports room. */
export function InfoScreen() {
  const { t } = useTranslation(['reading', 'shell'])
  return (
    <>
      <ScreenHeader title={t('shell:title.info')} lead={t('info.lead')}>
        <CourseFinder />
      </ScreenHeader>
      <ul className={piece('columns')}>
        {ENTRIES.map(page => (
          <li key={page}>
            <Link href={page} className={piece('entry')}>
              <span className={piece('small', 'grow')}>
                <b className={piece('heading', 'ink')}>{t(`shell:title.${PAGES[page]}`)}</b>
                {t(`info.${PAGES[page]}`)}
              </span>
              <IconChevronRight />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
