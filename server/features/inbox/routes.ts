import * as contract from '#contract/endpoints/inbox.ts'
import { findFileContent } from '#server/features/files/repository.ts'
import { mediaTypeAndDispositionOf } from '#server/platform/http/headers.ts'
import type { Api, SessionUser } from '#server/platform/http/mount.ts'
import { forbidden, notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { findInboxMessage, listInboxMessages, updateMessageRead } from './repository.ts'

const canReadInboxItem = (user: Pick<SessionUser, 'id'>, item: { webUserId: number }): boolean =>
  item.webUserId === user.id

/**
 * Mounts the inbox endpoints.
 * @param documents makes or finds the PDF of the certificate with this code or of the invoice with this number
 */
export function mountInbox(
  api: Api,
  { db }: ServerContext,
  documents: {
    printCertificate(code: string): Promise<Uint8Array | null>
    findInvoicePdf(number: string): Promise<{ pdf: Uint8Array } | null>
  },
): void {
  api.mount(contract.listMessages, ({ session }) => listInboxMessages(db, session.id))

  api.mount(contract.getInboxFile, async ({ params, session, request }) => {
    const item = await findInboxMessage(db, params.id)
    if (item === null) throw notFound()
    if (!canReadInboxItem(session, item)) throw forbidden()
    const { name, document, certificateCode, invoiceNumber } = item
    const find = () => {
      if (certificateCode) return documents.printCertificate(certificateCode)
      if (invoiceNumber) return documents.findInvoicePdf(invoiceNumber).then(invoice => invoice?.pdf ?? null)
      return document && findFileContent(db, document.hash)
    }
    const content = await find()
    if (!content) throw notFound()
    // HEAD tells whether the file exists and may be read, but is no reading of it.
    if (request.method !== 'HEAD') await updateMessageRead(db, params.id)
    return {
      fileName: name,
      content,
      mediaType: mediaTypeAndDispositionOf(document?.mediaType ?? 'application/pdf').mediaType,
    }
  })
}
