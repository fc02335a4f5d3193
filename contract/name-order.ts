/** Collation of a German telephone book (DIN 5007-2): ä is sorted as ae. The database has it as `telephone_book`. */
export const TELEPHONE_BOOK = 'de-u-co-phonebk'

/** Words in lower case with which a family name begins and which do not count for its place in a list. */
const PARTICLES =
  'af al am an auf aus av bei bin d da dal dalla das de dei del della delle dem den der des di do dos du e el ibn im in la las le les lo los op te ten ter uit und van vom von vor y zu zum zur'
const leadingParticles = new RegExp(`^(?:(?:${PARTICLES.replaceAll(' ', '|')}) +)+(?=[^ ])`)

/** The part of a family name by which it is sorted: "von der Heide" as "Heide". In SQL: `name_key()`. */
export const nameKey = (familyName: string): string => familyName.replace(leadingParticles, '')

type Named = { familyName: string; givenName: string }
const collator = new Intl.Collator(TELEPHONE_BOOK)

/** Compares people by family name, then given name, as a German telephone book. In SQL: `byName()`. */
export const compareByName = (a: Named, b: Named): number =>
  collator.compare(nameKey(a.familyName), nameKey(b.familyName)) || collator.compare(a.givenName, b.givenName)
