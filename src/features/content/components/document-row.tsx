import { IconFileTypePdf } from '#components/icons.ts'
import { ActionLink, ListEntry, Row, Text } from '#components/layout.tsx'
import { styles } from '#components/styles.ts'
import { contentUrl } from '#features/system/resource.ts'
import { SaveOfflineButton } from './save-offline-button.tsx'

type Props = { fileName: string; title: string; text: string; linkText: string }

export function DocumentRow({ fileName, title, text, linkText }: Props) {
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
