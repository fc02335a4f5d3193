/** Seasons, courses and people of the simulation as an import folder (wire.md, section 5). Region DE-NI, Europe/Berlin. */

const SEASONS = `id,name,name2,shortcut,viewableFrom,bookableFrom,startsAt,endsAt
1,Herbst,Autumn,H,2026-09-01 00:00,2026-09-14 08:00,2026-09-28,2026-12-20
2,Frühjahr,Spring,F,2026-12-01 00:00,2027-01-11 08:00,2027-01-25,2027-04-23
3,Sommer,Summer,S,2027-04-01 00:00,2027-04-12 08:00,2027-04-26,2027-07-04
`

const CATEGORIES = `id,name,name2,icon
3,Fitness,Fitness,fitness
5,Aqua,Aqua,aqua
7,Entspannung,Relaxing,wellbeing
`

const DIVISIONS = `id,name,onlineOnly
1,Werk,false
2,Übersee,true
`

const INSTRUCTORS = `email,familyName,givenName
tina@sport.example,Trainer,Tina
theo@sport.example,Turner,Theo
sina@sport.example,Sommer,Sina
`

/** Other columns are empty. */
const COURSE_COLUMNS =
  'number,seasonId,courseCategoryId,name,name2,instructor,instructorEmails,start,end,startTime,endTime,participants,fee,energyFee,externalFee,freeWithAttendance,meetingURL,centralTestInstitute'

// The autumn holidays, 12 to 24 October, and the Easter holidays, 22 March to 3 April, have no lessons.
const COURSES = `${COURSE_COLUMNS}
H-01,1,3,Rückenfit,Back fit,Tina Trainer,tina@sport.example,2026-09-28,2026-12-14,18:00,19:00,4,60,0,,true,,
H-02,1,7,Yoga,Yoga,Tina Trainer,tina@sport.example,2026-09-29,2026-12-08,17:00,18:30,8,80,0,,false,,
H-03,1,5,Aqua,Aqua,Tina Trainer,tina@sport.example,2026-10-01,2026-12-03,07:00,07:45,8,60,9.50,105,true,,
H-04,1,3,Zirkel,Circuit,Theo Turner,theo@sport.example,2026-09-29,2026-11-05,12:00,12:45,8,50,0,,false,,
H-05,1,7,Pilates online,Pilates online,Theo Turner,theo@sport.example,2026-09-30,2026-12-02,20:00,20:45,8,40,0,,true,https://meet.example/pilates,
H-06,1,3,Rückenschule,Back school,Theo Turner,theo@sport.example,2026-09-30,2026-12-02,17:00,18:00,8,90,0,120,false,,ZPP 20260123
H-07,1,7,Offenes Training,Open training,Theo Turner,theo@sport.example,2026-10-02,2026-12-04,16:00,17:00,8,0,0,0,false,,
H-08,1,3,Sonntagslauf,Sunday run,Theo Turner,theo@sport.example,2026-10-04,2026-11-29,09:00,10:15,8,30,0,,true,,
H-09,1,7,Tai Chi,Tai chi,Tina Trainer,tina@sport.example,2026-10-05,2026-12-07,08:00,09:00,8,45,0,,true,,
H-10,1,7,Meditation,Meditation,Theo Turner,theo@sport.example,2026-10-01,2026-12-03,18:00,19:00,8,70,0,,false,,
F-01,2,3,Frühlingslauf,Spring run,Tina Trainer,tina@sport.example,2027-01-31,2027-04-18,10:00,11:00,8,30,0,,true,,
S-01,3,3,Sommerfit,Summer fit,Tina Trainer,tina@sport.example,2027-04-26,2027-06-28,18:00,19:00,8,60,0,,true,,
`

/** Twice a week. */
const COURSE_DATES = `courseNumber,date
${['09-29', '10-01', '10-06', '10-08', '10-27', '10-29', '11-03', '11-05'].map(day => `H-04,2026-${day}`).join('\n')}
`

export const PASSWORD = 'Sommer-Sport-2026'

type Group =
  | 'employee'
  | 'pensioner'
  | 'insured'
  | 'external'
  | 'municipal'
  | 'apprentice'
  | 'instructor'
  | 'department'
type Profile = { group: Group; yearOfBirth?: number; division?: 1 | 2; isEnglish?: true; phone?: string }

/** People by given name. */
export const PEOPLE = {
  anna: { group: 'employee' },
  bernd: { group: 'employee' },
  cem: { group: 'employee' },
  dora: { group: 'employee' },
  emil: { group: 'employee' },
  frieda: { group: 'employee' },
  gerd: { group: 'pensioner', yearOfBirth: 1950 },
  hanna: { group: 'insured', yearOfBirth: 2011 },
  ida: { group: 'insured', yearOfBirth: 2010 },
  jan: { group: 'external', isEnglish: true },
  karl: { group: 'municipal' },
  lena: { group: 'apprentice', yearOfBirth: 2007, isEnglish: true },
  mia: { group: 'employee', division: 2 },
  nils: { group: 'employee' },
  olga: { group: 'employee' },
  paul: { group: 'employee' },
  rosa: { group: 'employee' },
  sven: { group: 'employee' },
  tom: { group: 'employee' },
  tommy: { group: 'employee' },
  uwe: { group: 'employee' },
  vera: { group: 'insured' },
  tina: { group: 'instructor' },
  theo: { group: 'instructor' },
  sina: { group: 'instructor' },
  desk: { group: 'department' },
} satisfies Record<string, Profile>
export type PersonName = keyof typeof PEOPLE
export const NAMES = Object.keys(PEOPLE) as PersonName[]

export const emailOf = (name: PersonName) => `${name}@sport.example`
export const personnelNumberOf = (name: PersonName) => String(1000 + NAMES.indexOf(name))
export const languageOf = (name: PersonName) => ('isEnglish' in PEOPLE[name] ? 'en' : 'de')

const PAYROLL = 1
const INVOICE = 3
const STATUS: Record<Group, number> = {
  employee: 1,
  external: 2,
  pensioner: 4,
  insured: 5,
  municipal: 6,
  apprentice: 7,
  instructor: 1,
  department: 1,
}

const USER_COLUMNS =
  'email,password,formOfAddress,givenName,familyName,employeeStatus,personnelNumber,department,location,companyAddress,bkkNumber,billingType,divisionId,street,zip,city,yearOfBirth'

/** A complete profile of the group (specification, section 5). */
function userRow(name: PersonName): string {
  const { group, yearOfBirth = 1985, division = 1 }: Profile = PEOPLE[name]
  const isInCompany = !['insured', 'external', 'municipal'].includes(group)
  const isEmployee = STATUS[group] === STATUS.employee
  const fields = [
    emailOf(name),
    PASSWORD,
    'Divers',
    name.charAt(0).toUpperCase() + name.slice(1),
    'Muster',
    STATUS[group],
    isInCompany ? personnelNumberOf(name) : '',
    isEmployee ? 'P-03' : '',
    isEmployee ? 'Tor 4' : '',
    isEmployee || group === 'pensioner' ? 'Werkstraße 12' : '',
    group === 'insured' ? `A${NAMES.indexOf(name)}` : '',
    isInCompany && group !== 'pensioner' ? PAYROLL : INVOICE,
    isInCompany ? division : '',
    'Lindenallee 27',
    '00210',
    'Salzstadt',
    yearOfBirth,
  ]
  return fields.join(',')
}

export const PROGRAMME = {
  'seasons.csv': SEASONS,
  'categories.csv': CATEGORIES,
  'divisions.csv': DIVISIONS,
  'instructors.csv': INSTRUCTORS,
  'courses.csv': COURSES,
  'course-dates.csv': COURSE_DATES,
  'users.csv': `${USER_COLUMNS}\n${NAMES.map(userRow).join('\n')}\n`,
}
