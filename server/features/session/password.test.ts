import { expect, test } from 'vitest'
import { changePassword, resetPassword } from '#contract/endpoints/session.ts'
import { passwordBaseWordsOf } from '#contract/rules/common-rules.ts'
import { PASSWORD_MIN_SCORE, unmetPasswordRules } from '#contract/rules/password-rules.ts'
import { createRandom } from '#contract/test/random.ts'
import { sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import { insertSession, insertWebUser } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'
import { ratePasswordInWorker } from './password-service.ts'

const server = await openTestServer()

const insertPerson = (values = {}) => insertWebUser(server.db, { passwordHash, ...values })
const { check, choosePassword, logIn, mailsOf } = createAccountCalls(server)
const reset = async (userName: string) =>
  (await server.request(resetPassword, { body: { userName }, language: 'de' })).body
/** Resets the rate limits for e-mails. */
const forget = () => server.db.execute(sql`delete from throttle_events`)

async function resetOf({ id, email }: { id: number; email: string }): Promise<string> {
  await forget()
  expect(await reset(email)).toMatchObject({ status: 'Ok' })
  return (await mailsOf(id)).at(-1)?.payload.password ?? ''
}

test('changing the password ends all other sessions and sends an e-mail', async () => {
  const { id, email } = await insertPerson()
  const [own, other] = [await insertSession(server.db, id), await insertSession(server.db, id)]
  expect(await choosePassword(own, 'Blauer.Elefant9')).toEqual({ changed: true, passwordScore: 4 })
  expect([await check(own), await check(other)]).toMatchObject([{ status: 'Ok' }, { status: 'NotFound' }])
  expect(await logIn(email, PASSWORD)).toMatchObject({ status: 'WrongPWorUser' })
  expect(await logIn(email, 'Blauer.Elefant9')).toMatchObject({ status: 'Ok' })
  expect((await mailsOf(id)).map(({ kind }) => kind)).toEqual(['password-changed'])
})

let domains = 0
test.each([
  ['too short', 'Qx7!kLm'],
  ['without upper case', 'blauer.elefant9'],
  ['without lower case', 'BLAUER.ELEFANT9'],
  ['made of letters only', 'BlauerElefantRuht'],
  ['a common password', 'Password1!'],
  ['a keyboard pattern', 'Qwertz123!'],
  ['based on the user’s name', 'Kim.Petersen1'],
  ['based on the user’s e-mail address', 'K.Petersen77'],
  ['a season', 'Sommer2026!'],
  ['the name of the portal', 'Werksport1!'],
])('a password that is %s is insecure', async (_, password) => {
  const { id, email } = await insertPerson({
    email: `k.petersen@demo${++domains}.example`,
    givenName: 'Kim',
    familyName: 'Petersen',
  })
  const { changed, passwordScore } = await choosePassword(await insertSession(server.db, id), password)
  expect({ changed, password, passwordScore }).toMatchObject({ changed: false })
  expect(await logIn(email, PASSWORD)).toMatchObject({ status: 'Ok' })
  expect(await mailsOf(id)).toEqual([])
})

test('mismatched new passwords are rejected with the name of the second field', async () => {
  const token = await insertSession(server.db, (await insertPerson()).id)
  const body = { password: 'Blauer.Elefant9', confirmPassword: 'Blauer.Elefant8' }
  expect(await server.request(changePassword, { body, token })).toMatchObject({
    status: 400,
    body: { status: 'Failed', message: expect.stringContaining('confirmPassword') },
  })
})

test('an e-mailed password works once, and only its use disables the old one', async () => {
  const person = await insertPerson()
  const mailed = await resetOf(person)
  expect(mailed).toMatch(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/)
  expect(await logIn(person.email, PASSWORD)).toMatchObject({ status: 'Ok', isPasswordToChange: false })

  const session = await logIn(person.email, ` ${mailed.toUpperCase()} `)
  expect(session).toMatchObject({ status: 'Ok', isPasswordToChange: true })
  expect(await logIn(person.email, mailed)).toMatchObject({ status: 'WrongPWorUser' })
  expect(await logIn(person.email, PASSWORD)).toMatchObject({ status: 'WrongPWorUser' })

  expect(await choosePassword(session.id, 'Blauer.Elefant9')).toMatchObject({ changed: true })
  expect(await logIn(person.email, 'Blauer.Elefant9')).toMatchObject({ status: 'Ok', isPasswordToChange: false })
})

test('of several concurrent logins with an e-mailed password, one succeeds', async () => {
  const person = await insertPerson()
  const mailed = await resetOf(person)
  const answers = await Promise.all([1, 2, 3, 4].map(() => logIn(person.email, mailed)))
  expect(answers.map(({ status }) => status).sort()).toEqual(['Ok', ...Array(3).fill('WrongPWorUser')])
})

test('an e-mailed password expires after 24 hours, with the next one, and with a change of password', async () => {
  const person = await insertPerson()
  const late = await resetOf(person)
  await server.db.execute(sql`
    update web_users set reset_expires_at = reset_expires_at - interval '24 hours' where id = ${person.id}`)
  expect(await logIn(person.email, late)).toMatchObject({ status: 'WrongPWorUser' })
  expect(await logIn(person.email, PASSWORD)).toMatchObject({ status: 'Ok' })

  const [first, second] = [await resetOf(person), await resetOf(person)]
  expect(await logIn(person.email, first)).toMatchObject({ status: 'WrongPWorUser' })
  await choosePassword(await insertSession(server.db, person.id), 'Blauer.Elefant9')
  expect(await logIn(person.email, second)).toMatchObject({ status: 'WrongPWorUser' })
})

test('an unknown e-mail address is reported as unknown', async () => {
  await forget()
  expect(await reset('niemand@demo.example')).toMatchObject({ status: 'WrongPWorUser' })
})

test('at most one e-mail a minute and five a day are sent to a person', async () => {
  await forget()
  const person = await insertPerson()
  const answers = await Promise.all([1, 2, 3].map(() => reset(person.email)))
  expect(answers.map(({ status }) => status).sort()).toEqual(['Failed', 'Failed', 'Ok'])
  expect(answers.find(({ status }) => status === 'Failed')?.message).toContain('in 1 Minute möglich')
  expect(await mailsOf(person.id)).toHaveLength(1)

  const grow = () => server.db.execute(sql`update throttle_events set happened_at = happened_at - interval '1 minute'`)
  for (let mail = 2; mail <= 5; mail++) {
    await grow()
    expect(await reset(person.email)).toMatchObject({ status: 'Ok' })
  }
  await grow()
  expect(await reset(person.email)).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining('in 24 Stunden möglich'),
  })
})

test('no password is e-mailed to an account that is not activated', async () => {
  const { id, email } = await insertPerson({ confirmedAt: null })
  expect(await reset(email)).toMatchObject({ status: 'NotActive' })
  expect(await mailsOf(id)).toEqual([])
})

const isTaken = async (password: string, personalWords: string[] = []) =>
  unmetPasswordRules(password).length === 0 &&
  (await ratePasswordInWorker(password, personalWords, { name: password })) >= PASSWORD_MIN_SCORE

const wordsIn = (text: string) => text.trim().split(/\s+/)

/** Words that users in a German company often choose as passwords. */
const WORDS = wordsIn(`
Welcome Willkommen Password Passwort Kennwort Admin Demo Test Hallo Geheim Login
Sommer Winter Herbst Frühling Fruehling Januar August Dezember Montag Freitag
Schalke Borussia Bayern Hansa Werder Fussball Dortmund Hamburg Berlin Hannover
Ichliebedich Schatz Liebe Sonnenschein Engel Prinzessin Mausi Baby Schnucki
Pumpen Fennmark Werksport Salzstadt Armaturen Gesundheit Fitness Yoga Pilates
Thomas Michael Sabine Andrea Stefan Claudia Julia Müller Schmidt Mustermann
Qwertz Qwerty Asdfgh Yxcvbn Abcdef Dragon Monkey Master Superman Football
Computer Internet Urlaub Kaffee Schokolade Katze Hund Auto Porsche Mercedes
GutenMorgen HalloWelt FennmarkPumpen IchLiebeDich BayernMuenchen MeinPasswort WerksportFit
`)
const YEARS = Array.from({ length: 17 }, (_, index) => String(2010 + index))
const ENDINGS = [...YEARS, ...wordsIn('1 12 123 1234 12345 01 04 07 77 99 007 2 24 26')]
const MARKS = ['!', '!!', '?', '.', '#', '*', '$', '+', '-', '!1', '']
const LOOK_ALIKES: [letter: RegExp, written: string][] = [
  [/a/, '4'],
  [/a/, '@'],
  [/o/, '0'],
  [/e/, '3'],
  [/s/, '$'],
  [/i/, '1'],
  [/l/, '1'],
  [/t/, '7'],
]

/** Common passwords: a word with a prefix, replaced letters and a suffix. */
function makePatterns(count: number, seed: number): string[] {
  const random = createRandom(seed)
  const pick = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const one = () => {
    const word = pick(WORDS)
    const [letter, written] = pick(LOOK_ALIKES)
    const disguised = random() < 0.25 ? word.replace(letter, written) : word
    const [ending, mark] = [pick(ENDINGS), pick(MARKS)]
    return pick([
      `${disguised}${ending}${mark}`,
      `${disguised}${ending}${mark}`,
      `${disguised}${mark}${ending}`,
      `${disguised}${pick(['-', '_', '.', '@', ' '])}${ending}${mark}`,
      `${mark}${disguised}${ending}`,
      `${ending}${disguised}${mark}`,
      `${word.toLowerCase()}${ending}${mark}`.replace(/^./, first => first.toUpperCase()),
    ])
  }
  const patterns = new Set<string>()
  while (patterns.size < count) {
    const pattern = one()
    if (unmetPasswordRules(pattern).length === 0) patterns.add(pattern)
  }
  return [...patterns]
}

const KNOWN_FROM_USE = wordsIn(`
Welcome2026! Schalke04! Ichliebedich1! Admin2026! Demo1234! Pumpen2026! Password2026!
P@ssw0rd2026 Sommer2026! Fussba11! H4ll0123! Werksport1! drowssaP1! HalloHallo1!
`)

test.each([[1], [2026]])(
  'at most 2 percent of a thousand common passwords are accepted, seed %i',
  async seed => {
    const patterns = [...KNOWN_FROM_USE, ...makePatterns(1_000, seed)]
    const passed: string[] = []
    for (const pattern of patterns) if (await isTaken(pattern)) passed.push(pattern)
    expect(passed.filter(pattern => KNOWN_FROM_USE.includes(pattern))).toEqual([])
    expect(passed.length / patterns.length, passed.join(' ')).toBeLessThanOrEqual(0.02)
  },
  120_000,
)

test.each([
  'Blauer.Elefant9',
  'Tüten-Süppchen-9',
  'korrekt Pferd Batterie Klammer 7',
  'Mein Hund frisst 3 Schuhe',
  'Regen-tropft.aufs7Dach',
  'Correct-Horse-Battery-5taple',
  'IwFs1994niM,abS!',
  'xK3#vP9q-Lm',
  'tR7vw!pQz2Yk',
  'Demo-Sport-2026',
  'Sieben Zwerge, 1 Spiegel',
  'Zw3tschgenknödel+Zimt',
  'Lampe7Fenster4Wolke',
  'N4chtigall!Kirsche',
  'Hafenkran.Moos.Uhr1',
  'vierunddreißig Tauben 34',
  'Kzt9fdWm2x',
  'Umzug1987nachLindau',
  'Hut-83920174-61',
  'Sentinel-Pass-77',
  'Neues-Passwort-1',
  'Secret-Word-42',
])('%s is good', async password => {
  expect(await isTaken(password)).toBe(true)
})

test('a password made of personal data is weak', async () => {
  expect(await isTaken('Osterkamp2026!', ['Osterkamp'])).toBe(false)
  expect(await isTaken('2026!Osterkamp', ['Osterkamp'])).toBe(false)
})

test.each([
  ['Schalke04!', 'schalke'],
  ['!!P@$$w0rt26', 'passwort'],
  ['2026Fruehling', 'frühling'],
  ['OmaOma99', 'oma'],
])('the base words of %s include %s', (password, word) => {
  expect(passwordBaseWordsOf(password)).toContain(word)
})
