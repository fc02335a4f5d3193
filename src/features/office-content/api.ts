import * as contract from '#contract/office-content.ts'
import { askPasskey } from '#features/office/store.ts'
import { createDeskCall } from '#lib/desk-call.ts'

/** A file on its way to an act, which names it by the id that comes back. */
export async function uploadOfficeFile(file: File): Promise<string> {
  const form = new FormData()
  form.append('file', file)
  const call = createDeskCall(askPasskey, init => {
    const headers = new Headers(init.headers)
    // The browser says how the form is divided.
    headers.delete('Content-Type')
    // A large file takes its time.
    return { ...init, headers, body: form, signal: null }
  })
  return (await call(contract.uploadOfficeFile, {})).fileId
}
