import { type Queryable, sql } from '#server/platform/db/client.ts'
import { insertCategory, insertSeason } from './factories.ts'

/**
 * Inserts a large company at once: people with names and personnel numbers, courses with lessons, and two bookings per
 * person.
 */
export async function insertCrowd(db: Queryable, { people, courses }: { people: number; courses: number }) {
  const [seasonId, categoryId] = [(await insertSeason(db)).id, (await insertCategory(db)).id]
  await db.execute(sql`
    insert into web_users (email, given_name, family_name, employee_status, personnel_number, year_of_birth, confirmed_at, mobile_phone)
    select 'crowd' || n || '@demo.example', (array['Kim','Ada','Jörg','Şule','Otto','Ines','Paul','Mara'])[1 + n % 8],
      (array['Müller','Schmidt','Aydın','Nowak','Meier','Čapek','Fuchs','Böhm','Kern','Wolf'])[1 + n % 10] || ' ' || n, 1, 'P' || n, 1980,
      clock_timestamp(), '0171 ' || n
    from generate_series(1, ${people}::int) n`)
  await db.execute(sql`
    insert into eligible_people (personnel_number) select 'P' || n from generate_series(1, ${people}::int, 2) n`)
  await db.execute(sql`
    insert into courses (number, name, name2, season_id, category_id, plan_day, start_time, end_time, plan_starts_on, plan_ends_on,
      capacity, venue, city, opens_at)
    select 'G-' || n, 'Kurs ' || n, 'Course ' || n, ${seasonId}, ${categoryId}, 1, make_time(7 + n % 13, 0, 0), make_time(8 + n % 13, 0, 0),
      current_date - 30, current_date + 60, 15, 'Halle ' || n % 40, 'Ort ' || n % 12, clock_timestamp() - interval '60 days'
    from generate_series(1, ${courses}::int) n`)
  await db.execute(sql`
    insert into course_dates (course_id, held_at)
    select c.id, c.plan_starts_on + c.start_time + w * interval '7 days' from courses c, generate_series(0, 12) w where c.number like 'G-%'`)
  await db.execute(sql`
    with place as (
      select c.id as course_id, u.id as web_user_id, row_number() over (partition by c.id order by u.id) as seq
      from (select id, row_number() over (order by id) as n from web_users where email like 'crowd%') u
      join (select id, row_number() over (order by id) - 1 as n from courses where number like 'G-%') c
        on c.n in (u.n % ${courses}, (u.n * 7 + 1) % ${courses})
    ), booked as (
      insert into bookings (course_id, web_user_id, seq, state, price_cents, employee_status, personnel_number, billing_type)
      select course_id, web_user_id, seq, case when seq <= 15 then 1 else 2 end, 4500, 1, '', 1 from place returning course_id
    )
    update courses c set taken = b.count, booking_seq = b.count
    from (select course_id, count(*) from booked group by 1) b where b.course_id = c.id`)
  await db.execute(sql`analyze`)
}
