import type { Endpoint } from './endpoint.ts'
import * as accounts from './endpoints/accounts.ts'
import * as attendance from './endpoints/attendance.ts'
import * as bookingOrder from './endpoints/booking-order.ts'
import * as calendar from './endpoints/calendar.ts'
import * as certificates from './endpoints/certificates.ts'
import * as company from './endpoints/company.ts'
import * as consents from './endpoints/consents.ts'
import * as content from './endpoints/content.ts'
import * as courses from './endpoints/courses.ts'
import * as feeds from './endpoints/feeds.ts'
import * as gallery from './endpoints/gallery.ts'
import * as inbox from './endpoints/inbox.ts'
import * as money from './endpoints/money.ts'
import * as passkeys from './endpoints/passkeys.ts'
import * as personalData from './endpoints/personal-data.ts'
import * as push from './endpoints/push.ts'
import * as reminders from './endpoints/reminders.ts'
import * as session from './endpoints/session.ts'
import * as substitutes from './endpoints/substitutes.ts'
import * as system from './endpoints/system.ts'
import * as connections from './office/connections.ts'
import * as officeContent from './office/content.ts'
import * as officeMoney from './office/money.ts'
import * as office from './office/office.ts'
import * as officePeople from './office/people.ts'
import * as officePlanning from './office/planning.ts'
import * as officeProgramme from './office/programme.ts'
import * as officeRehearsal from './office/rehearsal.ts'
import * as officeReport from './office/report.ts'
import * as officeToday from './office/today.ts'

const modules = {
  ...accounts,
  ...attendance,
  ...bookingOrder,
  ...calendar,
  ...certificates,
  ...company,
  ...connections,
  ...consents,
  ...content,
  ...courses,
  ...feeds,
  ...gallery,
  ...inbox,
  ...money,
  ...office,
  ...officeContent,
  ...officeMoney,
  ...officePeople,
  ...officePlanning,
  ...officeProgramme,
  ...officeRehearsal,
  ...officeReport,
  ...officeToday,
  ...passkeys,
  ...personalData,
  ...push,
  ...reminders,
  ...session,
  ...substitutes,
  ...system,
}

type Modules = typeof modules
/** All endpoints of the REST API with their types, from which the API client's methods are derived. */
export type Endpoints = {
  readonly [Name in keyof Modules as Modules[Name] extends Endpoint ? Name : never]: Modules[Name]
}

const isEndpoint = (entry: [string, unknown]): entry is [string, Endpoint] =>
  typeof entry[1] === 'object' && entry[1] !== null && 'method' in entry[1] && 'path' in entry[1]

/** All endpoints of the REST API by name. */
export const endpoints: Record<string, Endpoint> = Object.fromEntries(
  Object.entries<unknown>(modules).filter(isEndpoint),
)
