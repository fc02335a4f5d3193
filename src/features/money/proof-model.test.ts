import { expect, test } from 'vitest'
import { MAX_ATTENDANCE_PROOF_BYTES } from '#contract/endpoints/money.ts'
import { proofFormErrors } from './proof-model.ts'

const fileOf = (name: string, bytes = 1) => new File([new Uint8Array(bytes)], name)
const draft = { kind: 'sick', file: fileOf('IMG_0001.HEIC'), from: '2026-11-02', to: '2026-11-13' } as const

test.each([
  [{}, {}],
  [{ to: '2026-11-02' }, {}],
  [{ to: '2026-11-01' }, { to: 'order' }],
  [
    { from: '', to: '' },
    { from: 'missing', to: 'missing' },
  ],
  [{ file: fileOf('note.docx') }, { file: 'fileKind' }],
  [{ file: fileOf('note.pdf', 0) }, { file: 'fileEmpty' }],
  [{ file: fileOf('note.pdf', MAX_ATTENDANCE_PROOF_BYTES) }, {}],
  [{ file: fileOf('note.pdf', MAX_ATTENDANCE_PROOF_BYTES + 1) }, { file: 'fileSize' }],
])('validation errors of an absence proof by field: %o', (changes, errors) => {
  expect(proofFormErrors({ ...draft, ...changes })).toEqual(errors)
})
