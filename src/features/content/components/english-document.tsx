import type { ContentType } from '#contract/content.ts'
import { useLanguage } from '#lib/use-language.ts'
import { itemsOfType, textsOfItem } from '../model.ts'
import { useContent } from '../resource.ts'
import { DocumentRow } from './document-row.tsx'

/** The English document of a page: rendered in English if the department has published one. */
export function EnglishDocument({
  type,
}: {
  type: ContentType & ('FAQ_English' | 'Conditions_English' | 'Privacy_Policy')
}) {
  const language = useLanguage()
  const items = useContent(state => state.data.items)
  if (language !== 'en') return null
  return itemsOfType(items, type)
    .filter(({ fileName }) => fileName !== '')
    .map(item => <DocumentRow key={item.fileName} fileName={item.fileName} {...textsOfItem(item, language)} />)
}
