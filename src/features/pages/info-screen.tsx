import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { PAGES, type PagePath } from '#contract/endpoints/public-pages.ts'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'
import { Columns, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconChevronRight } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'

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
  '/accessibility',
  '/processing-record',
  '/superiors',
  '/offline',
]

/** Overview of all information pages, with a search by course, location, instructor or sports room. */
export function InformationOverviewScreen() {
  const { t } = useTranslation(['reading', 'shell'])
  return (
    <>
      <ScreenHeader title={t('shell:title.info')} lead={t('info.lead')}>
        <CourseFinder />
      </ScreenHeader>
      <Columns as="ul">
        {ENTRIES.map(page => (
          <li key={page}>
            <Link href={page} className={styles({ base: 'listEntry' })}>
              <Text as="span" size="s" grow>
                <Text as="b" variant="heading" tone="ink">
                  {t(`shell:title.${PAGES[page]}`)}
                </Text>
                {t(`info.${PAGES[page]}`)}
              </Text>
              <IconChevronRight />
            </Link>
          </li>
        ))}
      </Columns>
    </>
  )
}
