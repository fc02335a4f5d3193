import texts from '#server/platform/texts/de/lists.json' with { type: 'json' }

const keyOf = (texts: Record<string, string>, text: string) =>
  Object.keys(texts).find(key => texts[key] === text) ?? text

/** Converts rows of a German list to the codes that API clients read. */
export const toCodes = (rows: Record<string, string>[]): Record<string, string>[] =>
  rows.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([label, cell]) => {
        const column = keyOf(texts.column, label)
        const codes = Object.entries(texts.value).find(([name]) => name === column)?.[1] ?? {
          true: 'ja',
          false: 'nein',
        }
        return [column, keyOf(codes, cell)]
      }),
    ),
  )
