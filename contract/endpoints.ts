import * as accounts from './accounts.ts'
import * as attendance from './attendance.ts'
import * as bookings from './bookings.ts'
import * as calendar from './calendar.ts'
import * as company from './company.ts'
import * as connections from './connections.ts'
import * as content from './content.ts'
import * as courses from './courses.ts'
import type { Endpoint } from './endpoint.ts'
import * as feeds from './feeds.ts'
import * as gallery from './gallery.ts'
import * as inbox from './inbox.ts'
import * as office from './office.ts'
import * as officeContent from './office-content.ts'
import * as officePeople from './office-people.ts'
import * as officeProgramme from './office-programme.ts'
import * as officeToday from './office-today.ts'
import * as passkeys from './passkeys.ts'
import * as personalData from './personal-data.ts'
import * as push from './push.ts'
import * as reminders from './reminders.ts'
import * as session from './session.ts'
import * as system from './system.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

export const endpoints: Record<string, Endpoint> = Object.fromEntries(
  [
    session,
    company,
    passkeys,
    accounts,
    personalData,
    courses,
    bookings,
    attendance,
    inbox,
    calendar,
    feeds,
    reminders,
    push,
    content,
    gallery,
    office,
    officePeople,
    officeToday,
    officeContent,
    officeProgramme,
    connections,
    system,
  ].flatMap(module => Object.entries(module).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))),
)
