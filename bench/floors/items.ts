/** What a card of the floors shows. */
export type Item = { id: number; name: string; instructor: string; venue: string }

/** So many cards: more than a phone shows. */
export const SHOWN = 20

export async function loadItems(): Promise<Item[]> {
  const items = (await (await fetch('/list.json')).json()) as Item[]
  navigator.serviceWorker?.register('/sw.js')
  return items
}
