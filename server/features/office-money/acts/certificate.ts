import * as repository from '#server/features/certificates/repository.ts'
import { issueCertificates, refreshCertificates, toRevocationNotice } from '#server/features/certificates/service.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'

/** Issues certificates in a settled course to everyone who has earned one, or to one person. Idempotent. */
export const issueCertificatesForCourse: ActHandler<'issue-certificates'> = async (desk, { courseId, webUserId }) => {
  const { tx } = desk
  await desk.open('courses', courseId)
  if (!(await repository.isCourseSettled(tx, courseId))) desk.fail('failed.notSettled')
  const isWanted = (place: repository.CertifiableBooking) => webUserId === undefined || place.webUserId === webUserId
  const places = (await repository.listCertifiableBookings(tx, courseId)).filter(isWanted)
  if (places.length === 0) desk.fail(webUserId === undefined ? 'failed.notCertified' : 'failed.noCertifiedPlace')
  const [only] = places
  if (webUserId !== undefined && only && !only.isEarned)
    desk.fail('failed.notEarned', { attended: only.facts.attended, held: only.facts.held })
  await desk.sendDeliveries(await refreshCertificates(tx, { courseId }))
  await desk.sendDeliveries(await issueCertificates(tx, courseId, isWanted))
  const certificates = (await repository.listCertifiableBookings(tx, courseId))
    .filter(isWanted)
    .flatMap(place => (place.code === null ? [] : [{ code: place.code, webUserId: place.webUserId }]))
  desk.addAffected({ people: certificates.map(one => one.webUserId) })
  desk.note({ objects: { courseId }, after: { certificates: certificates.length } })
  return { certificates }
}

/** Revokes a certificate. Settling the course again does not issue a new one. */
export const revokeCertificate: ActHandler<'revoke-certificate'> = async (desk, { code }) => {
  const { tx } = desk
  await repository.lockCertificates(tx)
  const found = (await repository.findCertificate(tx, code)) ?? desk.fail('unknown.certificates')
  desk.note({ objects: { code } })
  if (found.state !== 'valid') desk.fail('failed.certificateEnded')
  desk.askReason('reason.certificate')
  await repository.updateCertificateRevoked(tx, code, true)
  if (found.webUserId === null) return {}
  desk.addAffected({ people: [found.webUserId] })
  await desk.sendDeliveries([toRevocationNotice(found.webUserId, found.course ?? '')])
  return {}
}
