import * as v from 'valibot'
import { EDITABLE_PAGES } from '../content-words.ts'
import { endpoint } from '../endpoint.ts'
import { webContentItem } from '../endpoints/content.ts'
import { album } from '../endpoints/gallery.ts'
import { idParam } from '../values.ts'
import { pageSchemaOf, pagingByIdQuery } from './office.ts'

/** Maximum size of an uploaded zip file with a whole programme. Single pictures and documents have lower limits. */
export const MAX_UPLOAD_BYTES = 200 * 1024 * 1024

/** Extensions of the files that banks provide as statements, except for archives of them. */
export const STATEMENT_EXTENSIONS = ['xml', 'csv', 'txt', 'sta', 'mta', 'mt940', '940'] as const

export const uploadOfficeFile = endpoint('office', 'POST', '/api/office/files', {
  rights: ['programme', 'content', 'billing'],
  takesFile: { burst: 100, perMinute: 60 },
  maxBytes: MAX_UPLOAD_BYTES + 100 * 1024,
  response: v.object({ fileId: v.string() }),
})

export const exportProgramme = endpoint('office', 'GET', '/api/office/programme.zip', {
  isCostly: true,
  scopes: ['programme-read', 'programme'],
  rights: ['programme'],
  query: v.object({ seasonId: v.optional(idParam), format: v.optional(v.picklist(['csv', 'xlsx'])) }),
  response: { file: 'application/zip' },
})

const number = v.number()

export const listOfficeContent = endpoint('office', 'GET', '/api/office/content', {
  rights: ['content'],
  query: v.object(pagingByIdQuery),
  response: v.object({
    ...pageSchemaOf(v.object({ id: number, version: number, sortOrder: number, ...webContentItem.entries })).entries,
    albums: v.array(
      v.object({
        ...album.entries,
        version: number,
        /** empty: public */
        courseNumber: v.string(),
        photos: v.array(
          v.object({ id: number, version: number, fileName: v.string(), sortOrder: number, shootingdate: v.string() }),
        ),
      }),
    ),
    pages: v.array(
      v.object({ page: v.picklist(EDITABLE_PAGES), version: number, text: v.string(), text2: v.string() }),
    ),
  }),
})
