import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EMPLOYEE_STATUS, EXTERNAL_SURCHARGE, RIGHTS } from '#contract/values.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { readCsv } from '#server/platform/files/read-csv.ts'
import { demoFolder } from './demo-accounts.ts'
import { type ImportOptions, importFolder, lockImports } from './import-programme.ts'

/** Demo booking; `presentOn`: 1-based indexes of the dates that the person attended. */
type PastBooking = { number: string; email: string; isWaiting: boolean; presentOn: number[] }

/**
 * Creates demo bookings and attendance without sending e-mails. The bookings are dated within three weeks after the
 * course's start of booking, with waiting-list entries last. Attendance is recorded for past lessons except the most
 * recent one of a running course, and the attendance lists of past courses are completed.
 * @returns the number of bookings
 */
async function writeHistory(tx: Queryable, bookings: PastBooking[]): Promise<number> {
  const count = await tx.execute(sql`
    insert into bookings (course_id, web_user_id, seq, state, employee_status, personnel_number, owner_personnel_number,
      billing_type, division_id, price_rule, price_cents, energy_cents, processing_cents, is_waiver_offered, booked_at)
    select c.id, u.id, g.seq, case when g.is_waiting then 2 else 1 end, u.employee_status, u.personnel_number,
      u.owner_personnel_number, u.billing_type, u.division_id,
      case u.employee_status when ${EMPLOYEE_STATUS.External} then 'external' else 'fee' end,
      case u.employee_status when ${EMPLOYEE_STATUS.External}
        then coalesce(c.external_fee_cents, c.fee_cents + ${EXTERNAL_SURCHARGE * 100}::int) else c.fee_cents end, c.energy_fee_cents,
      case when u.employee_status = ${EMPLOYEE_STATUS.External} and c.external_fee_cents is null
        then ${EXTERNAL_SURCHARGE * 100}::int else 0 end, c.is_free_with_attendance,
      c.opens_at + (least(clock_timestamp(), c.opens_at + interval '21 days') - c.opens_at) * (g.seq / (g.count + 1.0))
    from (
      select *, count(*) over (partition by number) as count,
        row_number() over (partition by number order by is_waiting, position) as seq
      from unnest(
        ${bookings.map(({ number }) => number)}::text[], ${bookings.map(({ email }) => email)}::text[],
        ${bookings.map(({ isWaiting }) => isWaiting)}::boolean[]
      ) with ordinality as given (number, email, is_waiting, position)
    ) g join courses c using (number) join web_users u using (email)`)
  await tx.execute(sql`
    update courses c set taken = b.count, booking_seq = b.count, revision = c.revision + 1
    from (select course_id, count(*)::int as count from bookings group by course_id) b where b.course_id = c.id`)

  const presences = bookings.flatMap(({ number, email, presentOn }) => presentOn.map(nth => ({ number, email, nth })))
  await tx.execute(sql`
    insert into attendances (course_date_id, web_user_id, is_present, changed_at)
    select d.id, u.id, true, d.held_at::timestamptz + interval '10 minutes'
    from unnest(
      ${presences.map(({ number }) => number)}::text[], ${presences.map(({ email }) => email)}::text[],
      ${presences.map(({ nth }) => nth)}::int[]
    ) as g (number, email, nth)
    join courses c using (number) join web_users u using (email)
    join (
      select *, row_number() over lessons as nth, coalesce(lead(held_at) over lessons, held_at) as next_at
      from course_dates window lessons as (partition by course_id order by held_at)
    ) d
      on d.course_id = c.id and d.nth = g.nth
    where d.next_at::timestamptz < clock_timestamp() - interval '10 minutes'`)
  await tx.execute(
    sql`update courses set is_participating_complete = true where closes_at < clock_timestamp() and taken > 0`,
  )
  return count
}

/**
 * Loads the demo programme into an empty database in one transaction. Its dates are moved to the current week.
 * @returns whether the database was empty
 */
export async function loadDemoProgramme(
  db: Database,
  { region, folder = demoFolder, onProgress = () => undefined }: Partial<ImportOptions> & Pick<ImportOptions, 'region'>,
): Promise<boolean> {
  return db.transaction(async tx => {
    await lockImports(tx, onProgress)
    const { isEmpty } = await tx.one<{ isEmpty: boolean }>(sql`
      select not exists (select from courses) and not exists (select from seasons) and not exists (select from web_users) as "isEmpty"`)
    if (!isEmpty) return false
    const outcome = await importFolder(tx, { folder, region, onProgress })
    if (!outcome.isDone) throw new Error(`The demo programme cannot be imported:\n${outcome.problems.join('\n')}`)
    const bookings = await readBookings(join(folder, 'history/bookings.csv'))
    const written = await writeHistory(tx, bookings)
    if (written !== bookings.length)
      throw new Error(`${bookings.length - written} demo bookings reference a missing course or person`)
    await tx.execute(sql`
      insert into office_rights (web_user_id, "right")
      select id, unnest(${[...RIGHTS]}::text[]) from web_users where email = 'desk@demo.example'`)
    return true
  })
}

async function readBookings(file: string): Promise<PastBooking[]> {
  const content = readCsv(await readFile(file))
  if ('text' in content) throw new Error(`${file}:${content.line}: ${content.text.in('en')}`)
  return content.records.slice(1).map(({ cells: [number = '', email = '', state, presentOn = ''] }) => ({
    number,
    email,
    isWaiting: state === 'waiting',
    presentOn: presentOn.split(' ').filter(Boolean).map(Number),
  }))
}
