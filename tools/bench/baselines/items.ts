/** Course data that a card of the baseline app shows. */
export type Item = { id: number; name: string; instructor: string; venue: string }

/** Number of cards rendered: more than fit on a phone. */
export const SHOWN = 20

export async function loadItems(): Promise<Item[]> {
  const items = (await (await fetch('/list.json')).json()) as Item[]
  navigator.serviceWorker?.register('/sw.js')
  return items
}
