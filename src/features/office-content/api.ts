import * as contract from '#contract/office-content.ts'
import { callOfficeWithFile } from '#features/office/api.ts'

/** A file on its way to an act, which names it by the id that comes back. */
export const uploadOfficeFile = async (file: File): Promise<string> =>
  (await callOfficeWithFile(file)(contract.uploadOfficeFile, {})).fileId
