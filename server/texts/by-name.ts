type Named = { familyName: string; givenName: string }

// Sorts umlauts next to their base vowel, which the database's builtin locale, ordering by code point, cannot do.
const collator = new Intl.Collator('de')

/** Sort order of people: German collation, by family name, then given name. */
export const byName = (a: Named, b: Named): number =>
  collator.compare(a.familyName, b.familyName) || collator.compare(a.givenName, b.givenName)
