import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { idParam } from './values.ts'

/** What a zip of a whole programme may weigh; a single picture or document less. */
export const MAX_UPLOAD_BYTES = 200 * 1024 * 1024

export const uploadOfficeFile = endpoint('POST', '/api/office/files', {
  access: 'office',
  rights: ['programme', 'content'],
  summary:
    'Takes a file that an act will use: a picture, a document, or a programme as a zip. Gone after a day without one',
  takesFile: true,
  maxBytes: MAX_UPLOAD_BYTES + 100 * 1024,
  response: v.object({ fileId: v.string() }),
})

export const exportProgramme = endpoint('GET', '/api/office/programme.zip', {
  access: 'office',
  rights: ['programme'],
  summary: 'The programme as an import folder, with what the desk did to it; without people',
  query: v.object({ seasonId: v.optional(idParam) }),
  response: { file: 'application/zip' },
})
