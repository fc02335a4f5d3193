import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { company } from '#contract/company.ts'

const FILE = new URL('./common-passwords.bin', import.meta.url)

/** Enough that a word which is not in the list is taken for one of it once in some 30,000 times. */
export const fingerprint = (word: string): number => createHash('sha256').update(word).digest().readUInt32BE(0)

/** The list as stored: fingerprints in order, four bytes each (scripts/make-common-passwords.ts). */
export function readCommonPasswords(): (word: string) => boolean {
  const bytes = readFileSync(FILE)
  const sorted = Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4))
  return word => {
    const wanted = fingerprint(word)
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return sorted[low] === wanted
  }
}

/** What comes to mind in this country when a password is asked for, and stands in no list of the world's. */
const FAVOURITES = [
  ...['passwort', 'kennwort', 'geheim', 'mustermann', 'musterfrau', 'anmeldung', 'zugang', 'betriebssport'],
  ...['schalke', 'borussia', 'dortmund', 'bayern', 'münchen', 'werder', 'bremen', 'hansa', 'eintracht', 'hamburg'],
  ...['berlin', 'köln', 'frankfurt', 'stuttgart', 'hannover', 'leipzig', 'nürnberg', 'gladbach', 'leverkusen'],
]

/** What people here think of first: the portal, the company and its parts, its places, its people. */
export function companyWords(): Set<string> {
  const { portalName, name, groupName, city, street, healthInsurer, divisions, team } = company
  const names = [
    portalName,
    name,
    groupName,
    city,
    street,
    healthInsurer,
    ...[...divisions, ...team].map(one => one.name),
  ]
  const words = [...FAVOURITES, ...names].flatMap(text => text.toLowerCase().split(/[^\p{L}]+/u))
  return new Set(words.filter(word => word.length >= 4))
}
