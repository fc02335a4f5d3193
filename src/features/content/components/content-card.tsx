import type { WebContentItem } from '#contract/endpoints/content.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CleanHtml } from '#ui/clean-html.tsx'
import { CardBody } from '#ui/layout.tsx'
import { IconArrowRight } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { textsOfItem } from '../model.ts'
import classes from './content-card.module.css'
import { ContentLink } from './content-link.tsx'
import { ContentPicture } from './content-picture.tsx'

export function ContentCard({ item }: { item: WebContentItem }) {
  const { title, text, linkText } = textsOfItem(item, useLanguage())
  return (
    <article className={`${styles({ base: 'pictureRow' })} ${classes.card}`}>
      <ContentPicture of={item} sizes="(min-width: 48em) 380px, 230px" width={600} height={400} />
      <CardBody flush>
        <h3>
          {/* If the item has no link text, its title becomes the link. */}
          {linkText || !item.link ? (
            title
          ) : (
            <ContentLink link={item.link} className={styles({ plain: true, cover: true })}>
              {title}
            </ContentLink>
          )}
        </h3>
        <CleanHtml html={text} className={styles({ size: 's', tone: 'ink' })} />
        {linkText && (
          <ContentLink link={item.link} className={styles({ base: 'actionLink', mt: 'auto', cover: true })}>
            {linkText} <IconArrowRight size={20} />
          </ContentLink>
        )}
      </CardBody>
    </article>
  )
}
