import type { WebContentItem } from '#contract/endpoints/content.ts'
import { contentUrl } from '#features/system/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ButtonLink } from '#ui/button.tsx'
import { CleanHtml } from '#ui/clean-html.tsx'
import { IconFileTypePdf } from '#ui/icons.ts'
import { CardBody, PictureCard, Row } from '#ui/layout.tsx'
import { textsOfItem } from '../model.ts'
import { ContentLink } from './content-link.tsx'
import { ContentPicture } from './content-picture.tsx'
import classes from './flyer-card.module.css'
import { SaveOfflineButton } from './save-offline-button.tsx'

/** Flyer with two texts and, optionally, a picture and a file. */
export function FlyerCard({ item, isFirst }: { item: WebContentItem; isFirst: boolean }) {
  const { title, text, linkText } = textsOfItem(item, useLanguage())
  const url = item.fileName && contentUrl(item.fileName)
  return (
    <PictureCard>
      <ContentPicture
        of={item}
        sizes="(min-width: 48em) 380px, calc(100vw - 34px)"
        width={600}
        height={400}
        isFirst={isFirst}
      />
      <CardBody flush>
        <h2>{title}</h2>
        <CleanHtml html={text} />
        <Row mt="auto">
          {url && (
            <ButtonLink
              isOutside
              look="plain"
              isPill
              href={url}
              target="_blank"
              rel="noopener"
              className={classes.open}
            >
              <IconFileTypePdf />
              {linkText || item.fileName}
              <span className="visually-hidden">: {title}</span>
            </ButtonLink>
          )}
          {url && <SaveOfflineButton url={url} title={title} />}
          {item.link && (
            <ContentLink link={item.link} className={classes.open}>
              {linkText || title}
            </ContentLink>
          )}
        </Row>
      </CardBody>
    </PictureCard>
  )
}
