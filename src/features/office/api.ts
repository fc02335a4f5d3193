import type { SentAct } from '#contract/acts/acts.ts'
import * as contract from '#contract/office.ts'
import { createDeskCall } from '#lib/desk-call.ts'
import { askPasskey } from './store.ts'

/** A call to the desk; where a passkey has to be shown first, it waits for it. */
export const callOffice = createDeskCall(askPasskey)

export const performAct = (act: SentAct) => callOffice(contract.performAct, { body: act })
