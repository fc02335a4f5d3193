import type { ContentItemType } from '#contract/endpoints/content.ts'
import { contentUrl } from '#features/system/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { IconFileTypePdf } from '#ui/icons.ts'
import { ActionLink, ListEntry, Row, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { itemsOfType, textsOfItem } from '../model.ts'
import { useContent } from '../resource.ts'
import { SaveOfflineButton } from './save-offline-button.tsx'

type Props = { fileName: string; title: string; text: string; linkText: string }

function DocumentRow({ fileName, title, text, linkText }: Props) {
  return (
    <ListEntry as="div" mb="xl" layout="row">
      <Row as="a" grow quiet href={contentUrl(fileName)} target="_blank" rel="noopener">
        <IconFileTypePdf size={34} stroke={1.6} className={styles({ tone: 'signal' })} />
        <Text as="span" grow>
          <Text as="b" variant="name">
            {title}
          </Text>
          {text && (
            <Text as="span" size="s">
              {text}
            </Text>
          )}
        </Text>
        <ActionLink as="span">{linkText}</ActionLink>
      </Row>
      <SaveOfflineButton url={contentUrl(fileName)} title={title} />
    </ListEntry>
  )
}

/** The English document for a page. Shown to English readers if the department has published one. */
export function EnglishDocument({
  type,
}: {
  type: ContentItemType & ('FAQ_English' | 'Conditions_English' | 'Privacy_Policy')
}) {
  const language = useLanguage()
  const items = useContent(state => state.data.items)
  if (language !== 'en') return null
  return itemsOfType(items, type)
    .filter(({ fileName }) => fileName !== '')
    .map(item => <DocumentRow key={item.fileName} fileName={item.fileName} {...textsOfItem(item, language)} />)
}
