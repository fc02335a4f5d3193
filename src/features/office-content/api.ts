import * as contract from '#contract/office-content.ts'
import { callOfficeWithFile } from '#features/office/api.ts'

/** Uploads a file; the returned id is used in the act. */
export const uploadOfficeFile = async (file: File): Promise<string> =>
  (await callOfficeWithFile(file)(contract.uploadOfficeFile, {})).fileId
