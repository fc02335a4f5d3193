import sharp from 'sharp'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type listOwnProofs as listOwnProofsCall, MAX_PROOF_BYTES } from '#contract/money.ts'
import type { Language } from '#contract/values.ts'
import type { Database } from '#server/db/client.ts'
import { HttpProblem } from '#server/http/problems.ts'
import type { SentFile } from '#server/http/read-body.ts'
import { translate } from '#server/texts/translate.ts'
import * as repository from './proof-repository.ts'
import { MIN_SICK_WORKING_DAYS, type Proof, sickSpansOf } from './proof-rules.ts'

/** Proofs of one person that wait for a decision, at most. */
const MAX_OPEN_PROOFS = 20

const ascii = (content: Buffer, from: number, to: number) => content.subarray(from, to).toString('latin1')
/** Media type by content, because an extension proves nothing; null: none of those accepted. */
function mediaTypeOf(content: Buffer): string | null {
  if (ascii(content, 0, 5) === '%PDF-') return 'application/pdf'
  if (ascii(content, 0, 3) === '\u00ff\u00d8\u00ff') return 'image/jpeg'
  if (ascii(content, 1, 4) === 'PNG') return 'image/png'
  if (ascii(content, 4, 8) === 'ftyp' && /^(?:hei[cfmsx]|hev[cx]|mif1|msf1)$/.test(ascii(content, 8, 12)))
    return 'image/heic'
  return null
}

/** A picture must be readable, except HEIC, which the portal does not decode. */
async function requireReadable(content: Buffer, mediaType: string): Promise<void> {
  if (mediaType !== 'image/jpeg' && mediaType !== 'image/png') return
  const { width, height } = await sharp(content).metadata()
  if (!width || !height) throw new Error('no picture')
}

type Sent = Pick<Proof, 'kind' | 'from' | 'to'> & { consent: string }

/** Stores a proof until the department decides. @returns its id; null: too many wait @throws HttpProblem 400, 413 */
export async function addProof(db: Database, webUserId: number, sent: Sent, file: SentFile): Promise<number | null> {
  const { content, name } = file
  if (content.byteLength > MAX_PROOF_BYTES)
    throw new HttpProblem(413, 'http.fileTooLarge', { max: MAX_PROOF_BYTES / 1024 / 1024 })
  const mediaType = mediaTypeOf(content)
  if (mediaType === null) throw new HttpProblem(400, 'http.badProof')
  await requireReadable(content, mediaType).catch(() => {
    throw new HttpProblem(400, 'http.badProof')
  })
  const fileName = name.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(-100) || 'file'
  return db.transaction(async tx => {
    if ((await repository.countOpenProofs(tx, webUserId)) >= MAX_OPEN_PROOFS) return null
    return repository.insertProof(tx, { webUserId, ...sent, fileName, mediaType, content })
  })
}

/** The person's proofs with their effect, such as "8 of 10 working days". */
export async function listOwnProofs(
  db: Database,
  webUserId: number,
  { language, region }: { language: Language; region: string },
): Promise<ResponseOf<typeof listOwnProofsCall>> {
  const proofs = await repository.listOwnProofs(db, webUserId)
  const spans = sickSpansOf(
    region,
    proofs.filter(({ state }) => state === 'accepted'),
  )
  const effectOf = ({ kind, from, to, state }: repository.ProofRow) => {
    if (state !== 'accepted') return ''
    const span = spans.find(one => one.from <= from && to <= one.to)
    const effect = kind === 'shift' ? 'shift' : span?.isLongEnough ? 'sick' : 'tooShort'
    const values = { days: span?.workingDays ?? 0, needed: MIN_SICK_WORKING_DAYS }
    return translate(language, `office.notice.proofEffect.${effect}`, values)
  }
  return {
    items: proofs.map(({ webUserId, name, hasFile, ...proof }) => ({
      ...proof,
      effect: effectOf({ ...proof, webUserId, name, hasFile }),
    })),
  }
}
