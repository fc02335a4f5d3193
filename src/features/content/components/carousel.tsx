import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebContentItem } from '#contract/endpoints/content.ts'
import { useLanguage } from '#lib/use-language.ts'
import { wantsMotion } from '#lib/wants-motion.ts'
import { CleanHtml } from '#ui/clean-html.tsx'
import { IconPlayerPause, IconPlayerPlay } from '#ui/icons.ts'
import { IconButton, TapTarget, Text } from '#ui/layout.tsx'
import { IconChevronLeft, IconChevronRight } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { textsOfItem } from '../model.ts'
import classes from './carousel.module.css'
import { ContentLink } from './content-link.tsx'
import { ContentPicture } from './content-picture.tsx'

const SLIDE_MS = 7000

/**
 * Picture carousel with captions. Advances by swipe, click or timer; touch, focus, hover and the pause button stop the
 * timer.
 */
export function Carousel({ items }: { items: WebContentItem[] }) {
  const { t } = useTranslation('carousel')
  const language = useLanguage()
  const track = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const [isPlaying, setIsPlaying] = useState(wantsMotion)
  const [isHeld, setIsHeld] = useState(false)
  const count = items.length

  const show = (slide: number) => {
    const { current: list } = track
    list?.scrollTo({
      left: ((slide + count) % count) * list.clientWidth,
      behavior: wantsMotion() ? 'smooth' : 'auto',
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new slide restarts the timer
  useEffect(() => {
    if (!isPlaying || isHeld || count < 2) return
    const timer = setTimeout(() => show(current + 1), SLIDE_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, isHeld, current, count])

  return (
    <section
      className={classes.carousel}
      aria-roledescription={t('role')}
      aria-label={t('label')}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <ul
        ref={track}
        className={classes.track}
        onScroll={({ currentTarget }) =>
          setCurrent(Math.round(currentTarget.scrollLeft / Math.max(currentTarget.clientWidth, 1)))
        }
      >
        {items.map((item, index) => (
          <Slide
            key={item.pictureFileName + textsOfItem(item, language).title}
            item={item}
            index={index}
            count={count}
          />
        ))}
      </ul>
      {count > 1 && (
        <TapTarget as="div" tabular variant="name" gap="none" className={classes.controls}>
          <IconButton type="button" onClick={() => show(current - 1)} aria-label={t('previous')}>
            <IconChevronLeft />
          </IconButton>
          <span aria-hidden>
            {current + 1} / {count}
          </span>
          <IconButton type="button" onClick={() => show(current + 1)} aria-label={t('next')}>
            <IconChevronRight />
          </IconButton>
          <IconButton
            type="button"
            onClick={() => setIsPlaying(!isPlaying)}
            aria-label={t(isPlaying ? 'pause' : 'play')}
          >
            {isPlaying ? <IconPlayerPause /> : <IconPlayerPlay />}
          </IconButton>
        </TapTarget>
      )}
    </section>
  )
}

function Slide({ item, index, count }: { item: WebContentItem; index: number; count: number }) {
  const { t } = useTranslation('carousel')
  const { title, text, linkText } = textsOfItem(item, useLanguage())
  return (
    <li
      className={classes.slide}
      aria-roledescription={t('slide')}
      aria-label={t('position', { position: index + 1, count })}
    >
      <ContentPicture
        of={item}
        sizes="(min-width: 62em) 620px, calc(100vw - 32px)"
        width={1600}
        height={760}
        isFirst={index === 0}
      />
      <div className={classes.words}>
        <Text as="h2" variant="heading">
          {title}
        </Text>
        <CleanHtml html={text} className={styles({ width: 'reading' })} />
        {linkText && (
          <ContentLink link={item.link} className={`${styles({ base: 'actionLink' })} ${classes.link}`}>
            {linkText} <IconChevronRight size={20} />
          </ContentLink>
        )}
      </div>
    </li>
  )
}
