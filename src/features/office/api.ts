import type { SentAct } from '#contract/acts/acts.ts'
import * as contract from '#contract/office.ts'
import * as people from '#contract/office-people.ts'
import type { Call } from '#lib/call.ts'
import { createDeskCall } from '#lib/desk-call.ts'
import { askPasskey } from './store.ts'

/** Calls an office endpoint; waits for passkey confirmation if required. */
export const callOffice = createDeskCall(askPasskey)

export const performAct = (act: SentAct) => callOffice(contract.performAct, { body: act })

/** Calls an office endpoint with a file as multipart form data. */
export function callOfficeWithFile(file: File): Call {
  const form = new FormData()
  form.append('file', file)
  return createDeskCall(askPasskey, init => {
    const headers = new Headers(init.headers)
    // The browser sets the multipart boundary.
    headers.delete('Content-Type')
    // No timeout: a large upload may take long.
    return { ...init, headers, body: form, signal: null }
  })
}

/** Exports a table as an Excel workbook. */
export const writeOfficeTable = (name: string, rows: (string | number)[][]) =>
  callOffice(people.writeOfficeTable, { body: { name, rows } })
