import type { PersonalData } from '#contract/endpoints/personal-data.ts'
import { findProfile } from '#server/features/session/account-repository.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/db/client.ts'
import { sessionInvalid } from '#server/platform/http/problems.ts'
import { renderPlainText } from '#server/platform/outbox/letter.ts'
import { toMailContent } from '#server/platform/outbox/mail-content.ts'
import type { DueMail } from '#server/platform/outbox/outbox.ts'
import { createPushContent } from '#server/platform/outbox/push-transport.ts'
import { toExportedProfile } from './model.ts'
import {
  beginReadOnlySnapshot,
  findExportedAccount,
  findExportedInstructor,
  findOwnCalendarFeed,
  findOwnReminders,
  listChangesRecordedBy,
  listExportedDataAccesses,
  listOwnAccountChanges,
  listOwnAttendance,
  listOwnAttendanceChanges,
  listOwnBookings,
  listOwnCompanyAccounts,
  listOwnConsents,
  listOwnDevices,
  listOwnFollowedItems,
  listOwnGuestPlaces,
  listOwnLetters,
  listOwnMailedLinks,
  listOwnMails,
  listOwnMessages,
  listOwnPasskeys,
  listOwnPushAlerts,
  listOwnPushDevices,
  listOwnRights,
  listOwnSecurityEvents,
  listOwnSessions,
  listUnsentMessages,
} from './personal-data-repository.ts'

/** Placeholders for the secrets in e-mails, because the personal data export must not contain them. */
const NOT_KEPT = { token: '…', password: '…' }

function readMail(
  { kind, payload, language }: Pick<DueMail, 'kind' | 'payload' | 'language'>,
  name: string,
  config: Pick<Config, 'publicUrl' | 'branding'>,
): { subject: string; text: string } {
  const content = toMailContent({ kind, payload: { ...payload, ...NOT_KEPT }, language, name }, config)
  return { subject: content.subject, text: renderPlainText(language, content) }
}

/** Exports personal data from one consistent snapshot. Secrets such as hashes and tokens are omitted. */
export function exportPersonalData(
  db: Database,
  webUserId: number,
  config: Pick<Config, 'publicUrl' | 'branding'>,
): Promise<PersonalData> {
  return db.transaction(async tx => {
    await beginReadOnlySnapshot(tx)
    const profile = await findProfile(tx, webUserId)
    if (profile === null) throw sessionInvalid()
    const instructor = await findExportedInstructor(tx, webUserId, profile.email)
    const name = `${profile.givenName} ${profile.familyName}`.trim()
    return {
      account: await findExportedAccount(tx, webUserId),
      profile: toExportedProfile(profile),
      instructor: instructor && { ...instructor, changesRecorded: await listChangesRecordedBy(tx, webUserId) },
      consents: await listOwnConsents(tx, webUserId),
      bookings: await listOwnBookings(tx, webUserId),
      guestPlaces: await listOwnGuestPlaces(tx, webUserId),
      attendance: await listOwnAttendance(tx, webUserId),
      attendanceChanges: await listOwnAttendanceChanges(tx, webUserId),
      messages: await listOwnMessages(tx, webUserId),
      unsentMessages: await listUnsentMessages(tx, webUserId),
      accountChanges: await listOwnAccountChanges(tx, webUserId),
      calendarFeed: await findOwnCalendarFeed(tx, webUserId),
      follows: await listOwnFollowedItems(tx, webUserId),
      reminders: await findOwnReminders(tx, webUserId),
      pushDevices: await listOwnPushDevices(tx, webUserId),
      alerts: (await listOwnPushAlerts(tx, webUserId)).map(({ toldAt, ...alert }) => {
        const { title, body } = createPushContent(alert)
        return { kind: alert.kind, toldAt, title, text: body }
      }),
      sessions: await listOwnSessions(tx, webUserId),
      devices: await listOwnDevices(tx, webUserId),
      rights: await listOwnRights(tx, webUserId),
      companyAccounts: await listOwnCompanyAccounts(tx, webUserId),
      passkeys: await listOwnPasskeys(tx, webUserId),
      letters: await listOwnLetters(tx, webUserId),
      reads: await listExportedDataAccesses(tx, webUserId),
      links: await listOwnMailedLinks(tx, webUserId),
      mails: (await listOwnMails(tx, webUserId)).map(({ payload, ...mail }) => ({
        ...mail,
        ...readMail({ ...mail, payload }, name, config),
      })),
      securityEvents: await listOwnSecurityEvents(tx, webUserId, profile.email || String(webUserId)),
    }
  })
}
