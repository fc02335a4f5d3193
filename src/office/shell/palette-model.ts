import { foldText } from '#contract/normalize.ts'
import { nearestWords } from '#features/courses/search/typo-model.ts'

/** Synonyms for a screen or action in both languages, by its key. */
const SYNONYMS: Record<string, string> = {
  '/office': 'todo aufgaben tasks now',
  '/office/season': 'kurse courses plan week woche kalender calendar verschieben move plaetze places',
  '/office/people': 'teilnehmer participants customers kunden konto account suchen find passwort password',
  '/office/hr-list': 'personal mitarbeiter employees eligible berechtigt',
  '/office/bookings': 'buchungen anmeldungen warteliste storno stornierung waiting cancelled',
  '/office/duplicates': 'merge dublette duplicate double zusammen',
  '/office/letters': 'post drucken print brief letter',
  '/office/lists': 'export csv excel auswertung download teilnehmerliste',
  '/office/import': 'excel zip hochladen upload laden',
  '/office/content': 'bild foto flyer news seite faq album upload',
  '/office/basics': 'halle raum hall room gesellschaft division kategorie trainer stammdaten',
  '/office/rights': 'rollen roles zugang berechtigung permission admin kollege colleague',
  '/office/connections': 'api token webhook schnittstelle scim',
  '/office/record': 'log audit verlauf history wer who storniert',
  '/office/money':
    'abrechnung zahlung rechnung billing payroll lohn invoice nachweis attest proof erstatten erstattung refund',
  '/office/report': 'statistik auslastung report zahlen kpi figures',
  absence: 'krank sick ill urlaub vertretung substitute away abwesend',
  closure: 'halle raum standort gesperrt sperren zu geschlossen closed hall room site',
  merge: 'zusammen doppelt dublette duplicate merge double verbinden',
  'create-person': 'neu new anlegen add anruf call',
  'invite-person': 'einladen invite kollege colleague',
  'send-message': 'mail schreiben write nachricht rundmail',
  'create-season': 'neu new semester',
  'create-course': 'neu new kurs',
  'copy-season': 'kopieren duplicate uebernehmen naechste next',
  'new-room': 'halle hall neu add',
  'new-instructor': 'trainer coach uebungsleiter teacher neu add',
  'new-category': 'sportart neu add',
  book: 'anmelden enrol buchen platz',
  'cancel-course': 'absagen streichen entfaellt faellt aus',
  'restore-course': 'zurueck undo findet statt',
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

export type PaletteCandidate = { label: string; folded: string; synonyms: string }

/**
 * Prepares a label for the search.
 * @param key key of the label's synonyms
 * @param others further words by which it is found
 */
export const toPaletteCandidate = (label: string, key = '', others = ''): PaletteCandidate => ({
  label,
  folded: foldText(label),
  synonyms: wordsOf(foldText(`${SYNONYMS[key] ?? ''} ${others}`)).join(' '),
})

/**
 * Rank of a match, best first: the label itself (0), the whole phrase, its words, prefixes of synonyms. Returns null if
 * there is no match.
 */
function rankOf({ folded, synonyms }: PaletteCandidate, search: string, words: readonly string[]): number | null {
  if (folded === search) return 0
  if (` ${wordsOf(folded).join(' ')} `.includes(` ${wordsOf(search).join(' ')} `)) return 1
  if (folded.includes(search)) return 2
  if (words.every(word => folded.includes(word))) return 3
  const all = synonyms.split(' ')
  const isKnown = (word: string) => folded.includes(word) || all.some(one => word.length > 2 && one.startsWith(word))
  return words.every(isKnown) ? 4 : null
}

function findRanked<One extends PaletteCandidate>(candidates: readonly One[], search: string) {
  const words = wordsOf(search)
  if (words.length === 0) return []
  return candidates
    .flatMap(candidate => {
      const rank = rankOf(candidate, search, words)
      return rank === null ? [] : [{ candidate, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ candidate }) => candidate)
}

/**
 * Returns matching candidates, best first; those of equal rank keep their order. If nothing matches, typing errors are
 * corrected.
 */
export function findPaletteCandidates<One extends PaletteCandidate>(candidates: readonly One[], typed: string): One[] {
  const search = foldText(typed.trim())
  const found = findRanked(candidates, search)
  if (found.length > 0) return found
  const vocabulary = new Map<string, number>()
  for (const { folded, synonyms } of candidates)
    for (const word of wordsOf(`${folded} ${synonyms}`)) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1)
  const corrected = wordsOf(search).map(word =>
    vocabulary.has(word) ? word : (nearestWords(word, vocabulary)[0] ?? word),
  )
  return findRanked(candidates, corrected.join(' '))
}
