import * as accounts from './accounts.ts'
import * as attendance from './attendance.ts'
import * as bookings from './bookings.ts'
import * as calendar from './calendar.ts'
import * as certificates from './certificates.ts'
import * as company from './company.ts'
import * as connections from './connections.ts'
import * as consents from './consents.ts'
import * as content from './content.ts'
import * as courses from './courses.ts'
import type { Endpoint } from './endpoint.ts'
import * as feeds from './feeds.ts'
import * as gallery from './gallery.ts'
import * as inbox from './inbox.ts'
import * as money from './money.ts'
import * as office from './office.ts'
import * as officeContent from './office-content.ts'
import * as officeMoney from './office-money.ts'
import * as officePeople from './office-people.ts'
import * as officePlanning from './office-planning.ts'
import * as officeProgramme from './office-programme.ts'
import * as officeReport from './office-report.ts'
import * as officeToday from './office-today.ts'
import * as passkeys from './passkeys.ts'
import * as personalData from './personal-data.ts'
import * as push from './push.ts'
import * as reminders from './reminders.ts'
import * as session from './session.ts'
import * as system from './system.ts'

const modules = {
  ...accounts,
  ...attendance,
  ...bookings,
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
  ...officeReport,
  ...officeToday,
  ...passkeys,
  ...personalData,
  ...push,
  ...reminders,
  ...session,
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
