import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Item, loadItems, SHOWN } from './items.ts'

/** Minimal list in React. */
function List() {
  const [items, setItems] = useState<Item[]>([])
  useEffect(() => void loadItems().then(setItems), [])
  return (
    <main>
      <h1>Kurse</h1>
      {items.slice(0, SHOWN).map(item => (
        <article key={item.id}>
          <h2>{item.name}</h2>
          <p>{item.instructor}</p>
          <p>{item.venue}</p>
        </article>
      ))}
    </main>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(<List />)
