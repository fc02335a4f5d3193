import { expect, test } from 'vitest'
import { baseWordsOf } from '#contract/common-rules.ts'
import { PASSWORD_MIN_SCORE, unmetPasswordRules } from '#contract/password-rules.ts'
import { createRandom } from '#contract/test/random.ts'
import { findStrength } from './strength.ts'

const isTaken = async (password: string, personalWords: string[] = []) =>
  unmetPasswordRules(password).length === 0 &&
  (await findStrength(password, personalWords, { name: password })) >= PASSWORD_MIN_SCORE

const wordsIn = (text: string) => text.trim().split(/\s+/)

/** What people in a German company choose when a password is asked for. */
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

/** Passwords of the kind that everybody thinks of: a word, with what is put before, into and behind it. */
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
  'of a thousand passwords that everybody thinks of two in a hundred pass at most, seed %i',
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

test('the words of the person are no better than others', async () => {
  expect(await isTaken('Osterkamp2026!', ['Osterkamp'])).toBe(false)
  expect(await isTaken('2026!Osterkamp', ['Osterkamp'])).toBe(false)
})

test.each([
  ['Schalke04!', 'schalke'],
  ['!!P@$$w0rt26', 'passwort'],
  ['2026Fruehling', 'frühling'],
  ['OmaOma99', 'oma'],
])('behind %s stands %s', (password, word) => {
  expect(baseWordsOf(password)).toContain(word)
})
