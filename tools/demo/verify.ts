// Checks the demo programme as a whole: `node tools/demo/verify.ts`. One line per finding, exit status 1 if there are any.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

type Row = Record<string, string>

const folder = join(import.meta.dirname, '../../demo')
const findings: string[] = []
const report = (where: string, text: string) => findings.push(`${where}: ${text}`)

const twice = (...names: string[]) => names.flatMap(name => [name, `${name}2`])
const columns: Record<string, string[]> = {
  'divisions.csv': ['id', 'name', 'onlineOnly'],
  'seasons.csv': ['id', ...twice('name', 'description'), 'shortcut', 'bookableFrom', 'viewableFrom', 'startsAt', 'endsAt'],
  'categories.csv': ['id', 'name', 'name2', 'icon'],
  'instructors.csv': [
    'email', 'familyName', 'givenName', 'yearOfBirth', 'pictureFileName',
    ...twice('courses', 'profession', 'hobbies', 'likeReasonsInstructor', 'favoriteWorkout'),
  ],
  'courses.csv': [
    'number', 'seasonId', 'courseCategoryId', ...twice('name', 'textWeb', 'conditions'), 'venue', 'city', ...twice('location'),
    'instructor', 'instructorEmails', 'day', 'startTime', 'endTime', 'start', 'end', 'totalHours', 'bookingSelection',
    'bookableFrom', 'fee', 'energyFee', 'externalFee', 'freeWithAttendance', 'participants', 'confirmed', 'meetingURL', 'meetingID', 'meetingCode',
    'centralTestInstitute',
  ],
  'course-dates.csv': ['courseNumber', 'date'],
  'rooms.csv': ['name', 'site', 'capacity', 'shared'],
  'content.csv': [
    'contentType', 'sortOrder', 'pictureFileName', 'fileName', 'linkText', 'linkText2',
    'text1', 'text2', 'text3', 'text4', 'text5', 'link',
  ],
  'albums.csv': ['id', ...twice('name', 'description'), 'thumbnailFileName', 'isIndividualCourse', 'courseNumber'],
  'photos.csv': ['albumId', 'fileName', 'shootingdate', 'sortOrder'],
  'users.csv': [
    'email', 'password', 'formOfAddress', 'title', 'givenName', 'familyName', 'employeeStatus', 'personnelNumber',
    'ownerPersonnelNumber', 'department', 'location', 'companyAddress', 'bkkNumber', 'billingType', 'divisionId',
    'mobilePhone', 'privatePhone', 'businessPhone', 'street', 'zip', 'city', 'yearOfBirth',
  ],
  'messages.csv': ['email', 'created', 'title', 'text', 'documentName'],
  'history/bookings.csv': ['courseNumber', 'email', 'state', 'presentOn'],
}

function read(file: string): Row[] {
  const [header = [], ...lines] = parse(readFileSync(join(folder, file), 'utf8')) as string[][]
  const expected = columns[file] ?? []
  for (const name of header) if (!expected.includes(name)) report(`${file}:1`, `unknown column ${name}`)
  for (const name of expected) if (!header.includes(name)) report(`${file}:1`, `column ${name} is missing`)
  return lines.map(line => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])))
}

const at = (file: string, index: number) => `${file}:${index + 2}`
const value = (row: Row, name: string) => row[name] ?? ''

function index(file: string, rows: Row[], key: string): Map<string, Row> {
  const byKey = new Map<string, Row>()
  rows.forEach((row, line) => {
    if (byKey.has(value(row, key))) report(at(file, line), `${key} ${value(row, key)} stands twice`)
    byKey.set(value(row, key), row)
  })
  return byKey
}

function refer(file: string, rows: Row[], name: string, target: { has(key: string): boolean }, optional = false) {
  rows.forEach((row, line) => {
    const key = value(row, name)
    if (!(key === '' && optional) && !target.has(key)) report(at(file, line), `${name} ${key} is unknown`)
  })
}

const divisions = read('divisions.csv')
const seasons = read('seasons.csv')
const categories = read('categories.csv')
const instructors = read('instructors.csv')
const courses = read('courses.csv')
const courseDates = read('course-dates.csv')
const rooms = read('rooms.csv')
const content = read('content.csv')
const albums = read('albums.csv')
const photos = read('photos.csv')
const users = read('users.csv')
const messages = read('messages.csv')
const bookings = read('history/bookings.csv')

const divisionById = index('divisions.csv', divisions, 'id')
const seasonById = index('seasons.csv', seasons, 'id')
const categoryById = index('categories.csv', categories, 'id')
const instructorByEmail = index('instructors.csv', instructors, 'email')
const courseByNumber = index('courses.csv', courses, 'number')
const albumById = index('albums.csv', albums, 'id')
const userByEmail = index('users.csv', users, 'email')

refer('courses.csv', courses, 'seasonId', seasonById)
refer('courses.csv', courses, 'courseCategoryId', categoryById)
refer('course-dates.csv', courseDates, 'courseNumber', courseByNumber)
refer('albums.csv', albums, 'courseNumber', courseByNumber, true)
refer('photos.csv', photos, 'albumId', albumById)
refer('users.csv', users, 'divisionId', divisionById, true)
refer('messages.csv', messages, 'email', userByEmail)
refer('history/bookings.csv', bookings, 'courseNumber', courseByNumber)
refer('history/bookings.csv', bookings, 'email', userByEmail)

// Dates
const monday = readFileSync(join(folder, 'dates-move-from'), 'utf8').trim()
const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
if (!/^\d{4}-\d\d-\d\d$/.test(monday) || weekday(monday) !== 1) report('dates-move-from', 'is not the date of a Monday')
const weeksAfter = (date: string) => (Date.parse(date) - Date.parse(monday)) / (7 * 24 * 3600 * 1000)

const datesOf = new Map<string, string[]>()
courseDates.forEach((row, line) => {
  const list = datesOf.get(value(row, 'courseNumber')) ?? []
  if (list.includes(value(row, 'date'))) report(at('course-dates.csv', line), 'stands twice')
  datesOf.set(value(row, 'courseNumber'), [...list, value(row, 'date')].sort())
})

// Courses
const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
courses.forEach((course, line) => {
  const where = `${at('courses.csv', line)} ${value(course, 'number')}`
  for (const name of [...twice('name', 'textWeb', 'conditions', 'location'), 'venue', 'city', 'instructor'])
    if (value(course, name) === '') report(where, `${name} is empty`)
  if (!rooms.some(room => room.name === value(course, 'venue') && room.site === value(course, 'city')))
    report(where, 'venue and city are no room')
  if (weekday(value(course, 'start')) !== Number(value(course, 'day'))) report(where, 'day is not the weekday of start')
  const length = minutes(value(course, 'endTime')) - minutes(value(course, 'startTime'))
  if (length < 45 || length > 90) report(where, `a unit takes ${length} minutes, not 45 to 90`)
  const units = (Number(value(course, 'totalHours')) * 60) / length
  if (Math.abs(units - Math.round(units)) > 0.02 || units < 7.9 || units > 12.1) report(where, `has ${units} units, not 8 to 12`)
  const dates = datesOf.get(value(course, 'number'))
  if (dates && (dates[0] !== value(course, 'start') || dates.at(-1) !== value(course, 'end'))) report(where, 'dates do not span start to end')
  if (dates && dates.length !== Math.round(units)) report(where, `has ${dates.length} dates for ${units} units`)
  for (const email of value(course, 'instructorEmails').split(' '))
    if (!instructorByEmail.has(email)) report(where, `instructor ${email} is unknown`)
  const isOnline = value(course, 'meetingURL') !== ''
  if (isOnline !== (value(course, 'city') === 'Online')) report(where, 'city and meetingURL disagree about being online')
})

// People
users.forEach((user, line) => {
  const needs: Record<string, string[]> = {
    1: ['personnelNumber', 'department', 'companyAddress', 'location', 'yearOfBirth', 'divisionId'],
    2: ['billingType', 'street', 'zip', 'city', 'yearOfBirth'],
    4: ['companyAddress', 'personnelNumber', 'billingType', 'street', 'zip', 'city', 'yearOfBirth', 'divisionId'],
    5: ['bkkNumber', 'billingType', 'street', 'zip', 'city', 'yearOfBirth'],
    6: ['billingType', 'street', 'zip', 'city', 'yearOfBirth'],
    7: ['personnelNumber', 'divisionId'],
  }
  const required = needs[value(user, 'employeeStatus')]
  const where = `${at('users.csv', line)} ${value(user, 'email')}`
  if (!required) report(where, 'employeeStatus is unknown')
  const billed = value(user, 'billingType') === '2' ? ['personnelNumber', 'ownerPersonnelNumber'] : []
  for (const name of ['password', 'formOfAddress', 'givenName', 'familyName', ...(required ?? []), ...billed])
    if (value(user, name) === '') report(where, `${name} is empty`)
  for (const name of ['mobilePhone', 'privatePhone', 'businessPhone'])
    if (!/^[\d+()/ ]{0,50}$/.test(value(user, name))) report(where, `${name} is no phone number`)
  if (!value(user, 'email').endsWith('@demo.example')) report(where, 'e-mail is outside demo.example')
})
for (const name of ['employee', 'pensioner', 'insured', 'external', 'instructor']) {
  const email = `${name}@demo.example`
  if (!userByEmail.has(email)) report('users.csv', `demo account ${email} is missing`)
  if (messages.filter(row => value(row, 'email') === email).length < 2) report('messages.csv', `${email} has fewer than 2 messages`)
}
messages.forEach((row, line) => {
  if (value(row, 'created').slice(0, 10) >= monday) report(at('messages.csv', line), 'is created after the week began')
})

// Content
const contentTypes = [
  'HomeCarrousel', 'HomeTop', 'HomeButtom', 'Instructor', 'CourseFlyer', 'Flyer', 'InstructorFlyer', 'FAQ_English',
  'Conditions_English', 'CourseFlyer_English', 'Flyer_English', 'Privacy_Policy', 'InstructorFlyer_English',
]
for (const type of contentTypes)
  if (!content.some(row => value(row, 'contentType') === type)) report('content.csv', `no item of type ${type}`)
content.forEach((row, line) => {
  if (!contentTypes.includes(value(row, 'contentType'))) report(at('content.csv', line), 'contentType is unknown')
  const [, category] = value(row, 'link').match(/^category:(\d+)$/) ?? []
  if (category && !categoryById.has(category)) report(at('content.csv', line), `category ${category} is unknown`)
})

// Files: every name exists, every file is used
const named = [
  ...instructors.map(row => value(row, 'pictureFileName')),
  ...content.flatMap(row => [value(row, 'pictureFileName'), value(row, 'fileName')]),
  ...albums.map(row => value(row, 'thumbnailFileName')),
  ...photos.map(row => value(row, 'fileName')),
  ...messages.map(row => value(row, 'documentName')),
].filter(Boolean)
const present = readdirSync(join(folder, 'files'))
for (const name of new Set(named)) if (!existsSync(join(folder, 'files', name))) report(`files/${name}`, 'is named but missing')
for (const name of present) if (!named.includes(name)) report(`files/${name}`, 'is used by no row')
const bytes = present.reduce((sum, name) => sum + statSync(join(folder, 'files', name)).size, 0)
if (bytes > 8_000_000) report('files', `${bytes} bytes are more than 8 MB`)

// Booking history
const seats = new Map<string, { booked: number; waiting: number; people: Set<string> }>()
bookings.forEach((row, line) => {
  const where = at('history/bookings.csv', line)
  const course = courseByNumber.get(value(row, 'courseNumber'))
  const user = userByEmail.get(value(row, 'email'))
  if (!course || !user) return
  const number = value(course, 'number')
  const seat = seats.get(number) ?? { booked: 0, waiting: 0, people: new Set<string>() }
  seats.set(number, seat)
  if (seat.people.has(value(user, 'email'))) report(where, 'stands twice')
  seat.people.add(value(user, 'email'))
  const isWaiting = value(row, 'state') === 'waiting'
  if (isWaiting) seat.waiting++
  else if (value(row, 'state') === 'booked') seat.booked++
  else report(where, 'state is neither booked nor waiting')
  if (isWaiting && value(user, 'employeeStatus') === '2') report(where, 'an external waits')
  const isOnlineOnly = divisionById.get(value(user, 'divisionId'))?.onlineOnly === 'true'
  if (isOnlineOnly && value(course, 'meetingURL') === '') report(where, 'an online-only division books a hall')
  const age = Number(value(course, 'start').slice(0, 4)) - Number(value(user, 'yearOfBirth'))
  if (value(user, 'employeeStatus') === '5' && age < 16) report(where, 'an insurer member is under 16')
  if (value(course, 'instructorEmails').split(' ').includes(value(user, 'email'))) report(where, 'books the own course')
  const opensAt = value(course, 'bookableFrom') || value(seasonById.get(value(course, 'seasonId')) ?? {}, 'bookableFrom')
  if (opensAt.slice(0, 10) >= monday) report(where, 'is booked before the opening')
  for (const nth of value(row, 'presentOn').split(' ').filter(Boolean)) {
    const date = datesOf.get(number)?.[Number(nth) - 1]
    if (!date || date >= monday || isWaiting) report(where, `presentOn ${nth} is no past date of this course`)
  }
})
const full: string[] = []
const nearlyFull: string[] = []
for (const course of courses) {
  const seat = seats.get(value(course, 'number')) ?? { booked: 0, waiting: 0 }
  const free = Number(value(course, 'participants')) - seat.booked
  if (free < 0) report(`history/bookings.csv ${value(course, 'number')}`, `${-free} bookings too many`)
  if (free > 0 && seat.waiting > 0) report(`history/bookings.csv ${value(course, 'number')}`, 'people wait although places are free')
  if (free === 0) full.push(value(course, 'number'))
  if (free > 0 && free <= 3) nearlyFull.push(value(course, 'number'))
}

// Plausibility: current and future courses exist
const running = courses.filter(row => weeksAfter(value(row, 'start')) <= -2 && weeksAfter(value(row, 'end')) >= 1)
const taught = running.filter(row => value(row, 'instructorEmails').includes('instructor@demo.example'))
const future = courses.filter(row => value(seasonById.get(value(row, 'seasonId')) ?? {}, 'bookableFrom').slice(0, 10) > monday)
const expectCount = (what: string, count: number, least: number, most = Number.POSITIVE_INFINITY) => {
  if (count < least || count > most) report('programme', `${count} ${what}`)
}
expectCount('courses', courses.length, 76, 90)
expectCount('running courses', running.length, 8)
expectCount('running courses of the demo instructor', taught.length, 4)
expectCount('courses starting within two weeks', courses.filter(row => weeksAfter(value(row, 'start')) >= 1 && weeksAfter(value(row, 'start')) < 3).length, 8)
expectCount('courses of a season that opens later', future.length, 5)
expectCount('full courses', full.length, 4)
expectCount('nearly full courses', nearlyFull.length, 4)
expectCount('free courses', courses.filter(row => Number(value(row, 'fee')) === 0).length, 4)
expectCount('online courses', courses.filter(row => value(row, 'meetingURL')).length, 3)
expectCount('certified courses', courses.filter(row => value(row, 'centralTestInstitute')).length, 2)
for (const id of ['3', '9', '13', '10', '7', '8', '5'])
  expectCount(`courses in home category ${id}`, courses.filter(row => value(row, 'courseCategoryId') === id).length, 3)
for (const course of taught) expectCount(`participants in ${value(course, 'number')}`, seats.get(value(course, 'number'))?.booked ?? 0, 8, 14)

if (findings.length > 0) {
  for (const line of findings) console.error(line)
  process.exit(1)
}
console.log(
  `${courses.length} courses (${running.length} running, ${full.length} full, ${nearlyFull.length} nearly full, ${future.length} open later), ` +
    `${instructors.length} instructors, ${users.length} people, ${bookings.length} bookings, ${content.length} content items, ` +
    `${photos.length} photos in ${albums.length} albums, ${present.length} files of ${(bytes / 1e6).toFixed(1)} MB`,
)
