import type { SentAct } from '#contract/acts/acts.ts'
import * as contract from '#contract/office.ts'
import * as people from '#contract/office-people.ts'
import type { Call } from '#lib/call.ts'
import { createDeskCall } from '#lib/desk-call.ts'
import { askPasskey } from './store.ts'

/** A call to the desk; where a passkey has to be shown first, it waits for it. */
export const callOffice = createDeskCall(askPasskey)

export const performAct = (act: SentAct) => callOffice(contract.performAct, { body: act })

/** A call to the desk with a file, as the field of a form. */
export function callOfficeWithFile(file: File): Call {
  const form = new FormData()
  form.append('file', file)
  return createDeskCall(askPasskey, init => {
    const headers = new Headers(init.headers)
    // The browser says how the form is divided.
    headers.delete('Content-Type')
    // A large file takes its time.
    return { ...init, headers, body: form, signal: null }
  })
}

/** A table as a workbook of Excel. */
export const writeOfficeTable = (name: string, rows: (string | number)[][]) =>
  callOffice(people.writeOfficeTable, { body: { name, rows } })
