import { tables } from '#server/import/tables.ts'
import type { ActHandler } from '../desk-service.ts'
import { saveRow } from '../programme-service.ts'
import { storeUpload } from '../upload-service.ts'

export const saveCategory: ActHandler<'save-category'> = async (desk, { fileId, ...fields }) => {
  // A picture comes as a file, or goes; its name alone is none.
  if (fields.icon?.includes('.')) desk.fail('failed.file')
  const picture = fileId ? await storeUpload(desk, fileId, { scope: 'content', recipes: ['picture'] }) : null
  const id = await saveRow(
    desk,
    'categories',
    tables.categories,
    { ...fields, ...(picture && { icon: picture.name }) },
    picture ? { icon_sha256: picture.hashes.picture } : {},
  )
  desk.note({ objects: { categoryId: id } })
  return { id }
}
