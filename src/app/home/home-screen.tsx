import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import type { WebContentItem } from '#contract/content.ts'
import { NextLessonCard } from '#features/bookings/components/next-lesson-card.tsx'
import { Carousel } from '#features/content/components/carousel.tsx'
import { ContentCard } from '#features/content/components/content-card.tsx'
import { itemsOfType } from '#features/content/model.ts'
import { useContent } from '#features/content/resource.ts'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'
import { useCourseIndex, useSeasons } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { branding } from '#lib/branding.ts'
import { late } from '#lib/late.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CategoryTiles } from './category-tiles.tsx'
import classes from './home-screen.module.css'
import { SeasonOpening } from './season-opening.tsx'

const UnsentCard = late(() => import('#features/attendance/components/unsent-card.tsx').then(m => m.UnsentCard))
const NextListCard = late(() => import('#features/attendance/components/next-list-card.tsx').then(m => m.NextListCard))

function Welcome() {
  const { t } = useTranslation('content')
  const language = useLanguage()
  const phase = useSession(state => state.phase)
  const session = useSession(state => state.session)
  const name = session?.givenName
  return (
    <ScreenHeader
      title={name ? t('home.greeting', { name }) : t('home.title')}
      lead={t('home.welcome', { portal: branding.portalName, department: branding.department[language] })}
    >
      <Suspense>
        <UnsentCard />
        {session?.isInstructor && <NextListCard />}
      </Suspense>
      {session && <NextLessonCard />}
      <CourseFinder />
      {phase === 'none' && (
        <p className={piece('above')}>
          <ButtonLink href="/register1" look="primary">
            {t('home.register')}
          </ButtonLink>
        </p>
      )}
    </ScreenHeader>
  )
}

/** The start page. */
export function HomeScreen() {
  const items = useContent(state => state.data.items)
  const phase = useContent(state => state.phase)
  const isIndexKnown = useCourseIndex(state => state.phase !== 'loading')
  const isProgrammeKnown = useSeasons(state => state.phase !== 'loading') && isIndexKnown
  const slides = itemsOfType(items, 'HomeCarrousel')
  return (
    <div className={`${piece('stack', 'apart')} ${classes.screen}`}>
      <div className={`${piece('stack', 'joined')} ${classes.stage}`}>
        <Welcome />
        {slides.length > 0 && <Carousel items={slides} />}
        {slides.length === 0 && (
          <div className={`${classes.placeholder} ${phase === 'loading' ? '' : classes.empty}`} aria-hidden />
        )}
      </div>
      {/* What stands below comes with all that decides where: nothing moves. */}
      {phase === 'loading' || !isProgrammeKnown ? <div className={classes.below} /> : <Below items={items} />}
    </div>
  )
}

function Below({ items }: { items: readonly WebContentItem[] }) {
  const { t } = useTranslation('content')
  const top = itemsOfType(items, 'HomeTop')
  const bottom = itemsOfType(items, 'HomeButtom')
  return (
    <>
      <SeasonOpening />
      {top.length > 0 && (
        <section aria-label={t('home.news')}>
          <ul className={`${classes.items} ${classes.strip}`}>
            {top.map(item => (
              <li key={item.pictureFileName + item.text1}>
                <ContentCard item={item} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <CategoryTiles />
      {bottom.length > 0 && (
        <section>
          <h2>{t('home.more')}</h2>
          <ul className={classes.items}>
            {bottom.map(item => (
              <li key={item.pictureFileName + item.text1}>
                <ContentCard item={item} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
