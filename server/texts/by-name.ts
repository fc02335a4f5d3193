type Named = { familyName: string; givenName: string }

// Umlauts stand beside their vowel. The database cannot do it: its builtin locale orders by code point.
const collator = new Intl.Collator('de')

/** The order of a list of people: German, by family name, then given name. */
export const byName = (a: Named, b: Named): number =>
  collator.compare(a.familyName, b.familyName) || collator.compare(a.givenName, b.givenName)
