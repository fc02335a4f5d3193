import { cleanHtml } from '#server/import/clean-html.ts'
import { insertPage, updatePage } from '../content-repository.ts'
import type { ActHandler } from '../desk-service.ts'

/** A page in the department's words; both emptied, the built-in text stands again. */
export const savePage: ActHandler<'save-page'> = async (desk, { page, text, text2 }) => {
  const isNew = await insertPage(desk.tx, page)
  if (!isNew) await desk.open('pages', page)
  const clean = (html: string | undefined) => (html === undefined ? undefined : cleanHtml(html))
  await updatePage(desk.tx, page, { text: clean(text), text2: clean(text2) })
  if (isNew) desk.made('pages', page)
  desk.note({ objects: { page }, after: { isNew, text: text?.length, text2: text2?.length } })
}
