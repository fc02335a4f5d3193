import { isPrintableName } from '#contract/rules/name-letters.ts'
import * as repository from '#server/features/certificates/repository.ts'
import { issueCertificates, refreshCertificates, toRevocationNotice } from '#server/features/certificates/service.ts'
import type { ActHandler } from '#server/office/frame/office-context-service.ts'

/**
 * Issues certificates in a settled course to the insured members who have earned one, or to one person, who may be of any
 * group. Idempotent.
 */
const issueCertificatesForCourse: ActHandler<'issue-certificates'> = async (office, { courseId, webUserId }) => {
  const { tx } = office
  await office.open('courses', courseId)
  if (!(await repository.isCourseSettled(tx, courseId))) office.fail('failed.notSettled')
  const isWanted = (place: repository.CertifiableBooking) =>
    webUserId === undefined ? place.isInsured || place.code !== null : place.webUserId === webUserId
  const all = await repository.listCertifiableBookings(tx, courseId)
  const places = all.filter(isWanted)
  if (webUserId === undefined && all.length === 0) office.fail('failed.notCertified')
  if (webUserId !== undefined && places.length === 0) office.fail('failed.noCertifiedPlace')
  const [only] = places
  if (webUserId !== undefined && only && !only.isEarned)
    office.fail('failed.notEarned', { attended: only.facts.attended, held: only.facts.held })
  if (webUserId !== undefined && only && !isPrintableName(only.facts.name))
    office.fail('failed.nameLetters', { name: only.facts.name })
  await office.sendDeliveries(await refreshCertificates(tx, { courseId }))
  await office.sendDeliveries(await issueCertificates(tx, courseId, isWanted))
  const certificates = (await repository.listCertifiableBookings(tx, courseId))
    .filter(isWanted)
    .flatMap(place => (place.code === null ? [] : [{ code: place.code, webUserId: place.webUserId }]))
  office.addAffected({ people: certificates.map(one => one.webUserId) })
  office.note({ objects: { courseId }, after: { certificates: certificates.length } })
  return { certificates }
}

/** Revokes a certificate. Settling the course again does not issue a new one. */
const revokeCertificate: ActHandler<'revoke-certificate'> = async (office, { code }) => {
  const { tx } = office
  await repository.lockCertificates(tx)
  const found = (await repository.findCertificate(tx, code)) ?? office.fail('unknown.certificates')
  office.note({ objects: { code } })
  if (found.state !== 'valid') office.fail('failed.certificateEnded')
  office.askReason('reason.certificate')
  await repository.updateCertificateRevoked(tx, code, true)
  if (found.webUserId === null) return {}
  office.addAffected({ people: [found.webUserId] })
  await office.sendDeliveries([
    toRevocationNotice(found.webUserId, { course: found.course ?? '', course2: found.course2 }),
  ])
  return {}
}

export const certificateHandlers = {
  'issue-certificates': issueCertificatesForCourse,
  'revoke-certificate': revokeCertificate,
}
