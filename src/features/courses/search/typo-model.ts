/** Maximum edit distance for a word of this length. */
const mostErrors = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2)
/** Maximum number of corrections. */
const MOST = 6

/** Edit distance with transpositions (Damerau-Levenshtein). Anything above `most` is returned as `most + 1`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let errors = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        errors = Math.min(errors, (before[j - 2] ?? 0) + 1)
      next.push(errors)
      least = Math.min(least, errors)
    }
    if (least > most) return most + 1
    ;[before, row] = [row, next]
  }
  return Math.min(row[b.length] ?? 0, most + 1)
}

/**
 * Finds the vocabulary words with the lowest edit distance to a query word, which may also be compared with only the
 * beginning of a longer vocabulary word. Ties are ordered by weight.
 * @param vocabulary weight by word
 */
export function nearestWords(word: string, vocabulary: ReadonlyMap<string, number>): string[] {
  const most = mostErrors(word.length)
  if (most === 0) return []
  const found: { known: string; errors: number; weight: number }[] = []
  for (const [known, weight] of vocabulary) {
    // The first letter is rarely mistyped.
    if (known[0] !== word[0] || known.length < word.length - most) continue
    const whole = editDistance(word, known, most)
    const beginning =
      known.length > word.length + 1 ? editDistance(word, known.slice(0, word.length + 1), most - 1) + 1 : whole
    const errors = Math.min(whole, beginning)
    if (errors <= most) found.push({ known, errors, weight })
  }
  const fewest = Math.min(...found.map(({ errors }) => errors))
  return found
    .filter(({ errors }) => errors === fewest)
    .sort((a, b) => b.weight - a.weight || a.known.length - b.known.length)
    .slice(0, MOST)
    .map(({ known }) => known)
}
