import { recordFromKeys } from '#contract/records.ts'
import type { Language } from '#contract/values.ts'
import { validateFile } from '#server/features/files/file-types.ts'
import { hashFileContent } from '#server/features/files/repository.ts'
import { fileName, InvalidCell } from '#server/features/programme/cell-parsers.ts'
import { listStoredFileReferences } from '#server/features/programme/file-refs.ts'
import { createDerivativeStore, MAX_FILE_BYTES } from '#server/features/programme/files.ts'
import type { FileDerivative } from '#server/features/programme/tables.ts'
import type { Database } from '#server/platform/db/client.ts'
import { HttpProblem, tooManyRequests } from '#server/platform/http/problems.ts'
import type { UploadedFile } from '#server/platform/http/read-body.ts'
import type { OfficeContext } from './office-context-service.ts'
import type { Upload, UploadSize } from './upload-repository.ts'
import { consumeUpload, countUploads, deleteOldUploads, insertUpload, lockUploads } from './upload-repository.ts'

export const ZIP_MEDIA_TYPE = 'application/zip'
export const XLSX_MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Type of workbooks with macros, which are imported but never published or run. */
export const XLSM_MEDIA_TYPE = 'application/vnd.ms-excel.sheet.macroEnabled.12'
const isZipNamed = (name: RegExp, sent: UploadedFile) =>
  name.test(sent.name) && sent.content.subarray(0, 2).toString('latin1') === 'PK'

/**
 * Validates an upload by the rules of the import.
 * @throws HttpProblem 400 with the reason
 */
export async function validateUpload(sent: UploadedFile, language: Language): Promise<Upload> {
  const name = fileName(sent.name, 0)
  if (name instanceof InvalidCell || name === '') throw new HttpProblem(400, 'http.badFileName')
  if (isZipNamed(/\.zip$/i, sent)) return { name, mediaType: ZIP_MEDIA_TYPE, content: sent.content }
  if (sent.content.byteLength > MAX_FILE_BYTES)
    throw new HttpProblem(413, 'http.fileTooLarge', { max: MAX_FILE_BYTES / 1024 / 1024 })
  if (isZipNamed(/\.xlsm$/i, sent)) return { name, mediaType: XLSM_MEDIA_TYPE, content: sent.content }
  const admitted = await validateFile(name, sent.content, false)
  if ('problem' in admitted) throw new HttpProblem(400, 'http.badFile', { name, reason: admitted.problem.in(language) })
  return { name, ...admitted }
}

/** Quota of unused uploads, per person and in total. */
const QUOTA = { count: 200, megabytes: 400 }
const QUOTA_OF_ALL = { count: 1_000, megabytes: 1_024 }
/** Minutes after which unused uploads are deleted when the quota is reached. */
const ABANDONED_MINUTES = 60

const exceeds = ({ count, bytes }: UploadSize, added: number, quota: typeof QUOTA) =>
  count >= quota.count || bytes + added > quota.megabytes << 20

/**
 * Stores an upload until an action uses it or a day has passed.
 * @returns its id
 * @throws HttpProblem 429 at the quota
 */
export const addUpload = (
  db: Database,
  sender: { webUserId: number; right: string },
  upload: Upload,
): Promise<string> =>
  db.transaction(async tx => {
    const { webUserId } = sender
    const added = upload.content.byteLength
    await lockUploads(tx, webUserId)
    if (exceeds(await countUploads(tx, webUserId), added, QUOTA)) {
      await deleteOldUploads(tx, webUserId, ABANDONED_MINUTES)
      if (exceeds(await countUploads(tx, webUserId), added, QUOTA))
        throw new HttpProblem(429, 'http.tooManyUploads', { ...QUOTA, seconds: ABANDONED_MINUTES * 60 })
    }
    if (exceeds(await countUploads(tx), added, QUOTA_OF_ALL)) throw tooManyRequests(ABANDONED_MINUTES * 60)
    return insertUpload(tx, sender, upload)
  })

/**
 * Finds an upload.
 * @throws ActRejected if it does not exist or has expired
 */
export async function requireUpload(office: OfficeContext, fileId: string): Promise<Upload> {
  const upload = await consumeUpload(office.tx, fileId)
  return upload ?? office.fail('failed.noFile')
}

type Use<R extends FileDerivative> = {
  /** scope within which a file name is unique; see StoredFileReference */
  scope: string
  recipes: readonly R[]
  /** whether documents are accepted as well as pictures */
  mayBeDocument?: boolean
}

/**
 * Stores derivatives of an uploaded file. If its name is already taken within the scope, a number is appended.
 * @returns the file name, and the hexadecimal SHA-256 of each derivative
 * @throws ActRejected
 */
export async function storeUpload<R extends FileDerivative>(
  office: OfficeContext,
  fileId: string,
  { scope, recipes, mayBeDocument = false }: Use<R>,
): Promise<{ name: string; hashes: Record<R, string> }> {
  const { name, mediaType, content } = await requireUpload(office, fileId)
  if ('problem' in (await validateFile(name, content, !mayBeDocument))) office.fail('failed.noPicture')
  const store = await createDerivativeStore(office.tx)
  const made = new Map<R, string>()
  for (const recipe of recipes) {
    const hash = await store({ content, hash: hashFileContent(content) }, mediaType, recipe)
    made.set(recipe, hash ?? office.fail('failed.noPicture'))
  }
  const hashes = recordFromKeys(recipes, recipe => made.get(recipe) ?? '')
  const taken = (await listStoredFileReferences(office.tx)).filter(ref => ref.scope === scope)
  const all = [...made.values()]
  const isFree = (wanted: string) => taken.every(ref => ref.name !== wanted || all.includes(ref.hash))
  const [, base = name, ending = ''] = /^(.*?)(\.\w+)$/.exec(name) ?? []
  let free = name
  for (let count = 2; !isFree(free); count += 1) free = `${base}-${count}${ending}`
  return { name: free, hashes }
}
