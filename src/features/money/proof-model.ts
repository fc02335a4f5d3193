import { type ATTENDANCE_PROOF_KINDS, MAX_ATTENDANCE_PROOF_BYTES } from '#contract/endpoints/money.ts'

export type ProofKind = (typeof ATTENDANCE_PROOF_KINDS)[number]
/** Proof of absence that the user is about to upload. `from` and `to`: 'YYYY-MM-DD', or '' while empty. */
export type ProofDraft = { kind: ProofKind; file: File; from: string; to: string }

/** Media types and file extensions for the file picker; with these, phones also offer the camera. */
export const ACCEPTED_PROOF_FILE_TYPES =
  'application/pdf,image/jpeg,image/png,image/heic,image/heif,.pdf,.jpg,.jpeg,.png,.heic'
const EXTENSION = /\.(?:pdf|jpe?g|png|heic|heif)$/i
export const MAX_PROOF_MB = MAX_ATTENDANCE_PROOF_BYTES / 1024 / 1024

type ProofError = 'fileKind' | 'fileSize' | 'fileEmpty' | 'missing' | 'order'

/** Translation key of the first error of each field. */
export function proofFormErrors({ file, from, to }: ProofDraft): Partial<Record<'file' | 'from' | 'to', ProofError>> {
  const ofFile = !EXTENSION.test(file.name)
    ? 'fileKind'
    : file.size === 0
      ? 'fileEmpty'
      : file.size > MAX_ATTENDANCE_PROOF_BYTES
        ? 'fileSize'
        : null
  return {
    ...(ofFile && { file: ofFile }),
    ...(!from && { from: 'missing' }),
    ...(to ? from > to && { to: 'order' } : { to: 'missing' }),
  }
}
