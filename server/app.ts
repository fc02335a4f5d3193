import { Hono } from 'hono'
import { logAccess } from './features/access-log/repository.ts'
import { mountAccessLog } from './features/access-log/routes.ts'
import { mountAccounts } from './features/accounts/routes.ts'
import { mountAttendance } from './features/attendance/routes.ts'
import { mountBookings } from './features/bookings/routes.ts'
import { mountCalendar } from './features/calendar/routes.ts'
import { mountCertificates } from './features/certificates/routes.ts'
import { renderCertificatePdf } from './features/certificates/service.ts'
import { mountContent, mountContentFiles } from './features/content/routes.ts'
import { mountCourses } from './features/courses/routes.ts'
import { type CourseService, createCourseService } from './features/courses/service.ts'
import { mountEmbed, mountFeeds } from './features/feeds/routes.ts'
import { createFeedService } from './features/feeds/service.ts'
import { mountGallery, mountPhotoFiles } from './features/gallery/routes.ts'
import { mountInbox } from './features/inbox/routes.ts'
import { findInvoicePdf } from './features/money/invoice-repository.ts'
import { mountMoney } from './features/money/routes.ts'
import { mountReminders } from './features/reminders/routes.ts'
import { createSessionAuthenticator } from './features/session/authenticate.ts'
import { mountPasskeys } from './features/session/passkey-routes.ts'
import { updatePasskeyConfirmation } from './features/session/repository.ts'
import { mountSession } from './features/session/routes.ts'
import { mountSiteFiles, mountSystem } from './features/system/routes.ts'
import { mountCompany } from './identity/oidc/routes.ts'
import { mountScim } from './identity/scim/scim-routes.ts'
import { mountActs } from './office/acts/routes.ts'
import { findService } from './office/connections/repository.ts'
import { mountConnections } from './office/connections/routes.ts'
import { mountOfficeContent } from './office/content/routes.ts'
import { isAuditAnchorCurrent } from './office/frame/audit-anchor-service.ts'
import { mountOffice, mountToday } from './office/frame/routes.ts'
import { mountOfficeMoney } from './office/money/routes.ts'
import { createMergeLinks } from './office/people/merge-link-service.ts'
import { mountOfficePeople } from './office/people/routes.ts'
import { mountOfficeProgramme, mountSubstituteRequests } from './office/programme/routes.ts'
import { rejectMultipleHosts, setXsrfCookie } from './platform/http/cross-site.ts'
import { type Api, canonicalPath, createApi } from './platform/http/mount.ts'
import { createErrorHandler, notFound } from './platform/http/problems.ts'
import { createPublicAddressCheck } from './platform/http/public-address.ts'
import { assignRequestId, requestLog, traceRequests } from './platform/http/request-log.ts'
import { securityHeaders } from './platform/http/security-headers.ts'
import { sendServerTime } from './platform/http/server-time.ts'
import { countRequests } from './platform/observability/registry.ts'
import type { ServerContext } from './platform/runtime/context.ts'
import { COSTLY_CALL_LIMIT, createRateLimit } from './platform/throttle/token-buckets.ts'

/** Builds the portal's HTTP API, which maps a `Request` to a `Response` and opens no socket. */
export function createApp(context: ServerContext): { app: Hono; api: Api; courses: CourseService } {
  const app = new Hono({ getPath: request => canonicalPath(new URL(request.url).pathname) })
  app.onError(createErrorHandler(context.log))
  const isSecure = context.config.publicUrl.startsWith('https:')
  if (context.config.metricsAddress) app.use('*', countRequests)
  if (context.config.tracing) app.use('*', traceRequests)
  app.use(
    '*',
    assignRequestId,
    requestLog(context.log),
    sendServerTime,
    securityHeaders(isSecure),
    setXsrfCookie(isSecure),
    rejectMultipleHosts,
  )

  const courses = createCourseService(context)
  const { db } = context
  const publicAddress = createPublicAddressCheck(context.config, context.log)
  const api = createApi(app, createSessionAuthenticator(db), context, {
    // The limit applies per person rather than per IP address, because a whole company may share one address.
    createCallLimit: (name, limit = COSTLY_CALL_LIMIT) => createRateLimit(context, `calls ${name}`, limit),
    findService: tokenHash => findService(db, tokenHash),
    noteReads: (session, read, people) => logAccess(db, session, read, people),
    noteTap: tokenHash => updatePasskeyConfirmation(db, tokenHash),
    noteOrigin: publicAddress.note,
  })
  mountSystem(api, context, {
    isPublicUrlWrong: publicAddress.isWrong,
    isAuditAnchorCurrent: () => isAuditAnchorCurrent(db, context.config.dataDir),
  })
  mountSession(api, context)
  mountPasskeys(api, context)
  mountCompany(api, app, context)
  mountAccounts(api, context, createMergeLinks(context.config.region))
  mountBookings(api, context, courses)
  mountCourses(api, context, courses)
  mountAttendance(api, context)
  mountInbox(api, context, {
    printCertificate: code => renderCertificatePdf(db, code, context.config),
    findInvoicePdf: number => findInvoicePdf(db, number),
  })
  mountCalendar(api, context, courses)
  mountReminders(api, app, context)
  mountContent(api, context)
  mountGallery(api, context)
  mountMoney(api, context)
  mountCertificates(api, context)
  mountActs(api, context)
  mountOffice(api, context)
  mountToday(api, context, publicAddress.isWrong)
  mountOfficePeople(api, context)
  mountOfficeProgramme(api, context)
  mountSubstituteRequests(api, context)
  mountOfficeContent(api, context)
  mountOfficeMoney(api, context)
  mountAccessLog(api, context)
  mountConnections(api, context)
  const feeds = createFeedService(context, courses)
  mountFeeds(api, context, feeds)

  mountSiteFiles(app, context)
  mountEmbed(app, context, feeds)
  mountScim(app, context)
  app.all('/api/*', () => {
    throw notFound()
  })
  mountContentFiles(app, context)
  mountPhotoFiles(app, context)
  return { app, api, courses }
}
